{{ item.first }} = torch.randint(256, (480, 640, 3), dtype=torch.uint8, device="cuda")
