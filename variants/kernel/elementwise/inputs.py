{% from pathjoin('languages', 'py.jinja') import samples as samples_of, usual %}
def tensor():
    return torch.randn(1000, 1000, device=device{{ requires_grad }})


{% if item.written %}
def output():
    return torch.randn(1000, 1000, device=device)


{% endif %}
{% set samples = samples_of(item.args) | from_json | map('regex_replace', '^dtype$', 'torch.float32') | list %}
{% set samples = usual(item.args, samples) | from_json %}
{% include pathjoin('variants', 'kernel', 'inputs.py') %}
