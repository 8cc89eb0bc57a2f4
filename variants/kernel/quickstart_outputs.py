{% from pathjoin('languages', 'py.jinja') import outputs_of, starred %}
{% set outputs = outputs_of(item).splitlines() %}
{% set out = outputs[-1] %}
{% set first = item.inputs[item.first_input].name if item.inputs else '' %}
expected = {{ item.name }}_reference({{ starred(item) }})
{{ 'out = ' if item.returned }}{{ project }}.{{ item.name }}({{ starred(item) }})
values = [{{ outputs | join(', ') }}]
for value, reference in zip(values, {{ '[expected]' if outputs | length == 1 else 'expected' }}):
    difference = (value - reference).abs().max().item()
    print(f"on {device}: differs from plain PyTorch by at most {difference:.1e}")
{% if item.autograd != 'none' %}

{{ out }}.sum().backward()
gradient = {{ 'keywords["%s"]' % first if first in item.by_name else 'args[%d]' % item.names.index(first) }}.grad
print(f"gradient: {gradient.norm().item():.4f}")
{% endif %}

print("torch.compile compiles at its first call, for up to a minute", flush=True)
compiled = torch.compile({{ project }}.{{ item.name }}, fullgraph=True)
{{ 'out = ' if item.returned }}compiled({{ starred(item) }})
mean = {{ out }}.mean().item()
print(f"torch.compile: {mean:.4f}")
