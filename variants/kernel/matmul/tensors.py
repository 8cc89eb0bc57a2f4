a = torch.randn(1000, 500, device=device{{ requires_grad }})
b = torch.randn(500, 1000, device=device{{ requires_grad }})
{{ 'c = torch.empty(1000, 1000, device=device)\n' if item.written -}}
