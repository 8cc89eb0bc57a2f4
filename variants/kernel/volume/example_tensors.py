{{ item.first }} = torch.randint(0, 4096, (256, 256, 256), device="cuda").to(torch.uint16)
