def tensor():
    return torch.rand(480, 640, 3, device=device)


