def tensor():
    return torch.randint(-1000, 3000, (64, 256, 256), device=device).to(torch.int16)


{% if item.bounds %}
def bound(share):
    return 3000 * share


{% endif %}
