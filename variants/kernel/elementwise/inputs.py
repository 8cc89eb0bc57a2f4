def tensor():
    return torch.randn(1000, 1000, device=device{{ '' if autograd == 'none' else ', requires_grad=True' }})


args = [{{ item.samples }}]
