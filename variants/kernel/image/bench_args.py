    def tensor():
        shape = (numel // CHANNELS_IN, CHANNELS_IN)
        return (torch.rand(shape, device=device) * 255).to(dtype)

