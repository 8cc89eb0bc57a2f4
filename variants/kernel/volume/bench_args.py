    low, high = 0, 255

    def tensor():
        return torch.randint(low, high + 1, (numel,), device=device).to(dtype)

