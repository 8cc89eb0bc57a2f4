{% from pathjoin('languages', 'py.jinja') import usual %}
rows = torch.randn(1000, 1000, device=device{{ requires_grad }})
{% include pathjoin('variants', 'kernel', 'column.py') %}
{% set samples = usual(item.args, item.samples).splitlines() %}
{% include pathjoin('variants', 'kernel', 'inputs.py') %}
