rows = torch.randn(1000, 1000, device=device{{ requires_grad }})
