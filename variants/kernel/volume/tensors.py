low, high = -1000, 3000


def tensor():
    return torch.randint(low, high, (64, 256, 256), device=device).to(torch.int16)


