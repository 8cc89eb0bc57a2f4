{% set samples = item.samples %}
def tensor():
    return torch.rand(480, 640, 3, device=device)


{% include pathjoin('variants', 'kernel', 'inputs.py') %}
