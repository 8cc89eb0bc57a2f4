{% from pathjoin('languages', 'py.jinja') import usual %}
def tensor():
    return torch.randn(1000, 1000, device=device{{ requires_grad }})


{% if item.written %}
def output():
    return torch.randn(1000, 1000, device=device)


{% endif %}
{% set samples = usual(item.args, item.samples | map('regex_replace', '^dtype$', 'torch.float32')
  | list).splitlines() %}
{% include pathjoin('variants', 'kernel', 'inputs.py') %}
