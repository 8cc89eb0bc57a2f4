{% from pathjoin('languages', 'py.jinja') import samples as samples_of %}
{% set samples = samples_of(item.args) | from_json %}
def tensor():
    return torch.rand(480, 640, 3, device=device)


{% include pathjoin('variants', 'kernel', 'inputs.py') %}
