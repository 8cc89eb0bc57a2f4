{% from pathjoin('languages', 'py.jinja') import outputs_of, starred %}
{% set outputs = outputs_of(item).splitlines() %}
{% set actual = 'out' if item.op_listed else outputs[0] if outputs | length == 1
  else '(%s)' % outputs | join(', ') if item.as_numbers or item.written else 'out' %}
{% set out = 'out = ' if item.returned %}
expected = {{ item.name }}_reference({{ starred(item) }})
{{ out }}{{ project }}.{{ item.name }}({{ starred(item) }})
torch.testing.assert_close({{ '‹%s, expected›' % actual if item.as_numbers else '%s, expected' % actual }})
print(f"on {device}: the same as plain PyTorch")

{% if item.as_numbers %}
# The returned {{ 'number is' if item.as_numbers | length == 1
  else 'numbers are' }} unknown before the kernel has run, also to compiled code.
torch._dynamo.config.capture_scalar_outputs = True
{% endif %}
{% if item.sized %}
# The number of results is unknown before the kernel has run, also to compiled code.
torch._dynamo.config.capture_dynamic_output_shape_ops = True
{% endif %}
print("torch.compile compiles at its first call, for up to a minute", flush=True)
compiled = torch.compile({{ project }}.{{ item.name }}, fullgraph=True)
{{ 'expected = %s_reference(%s)\n' % (item.name, starred(item)) if item.written -}}
{{ out }}compiled({{ starred(item) }})
torch.testing.assert_close({{ '‹%s, expected›' % actual if item.as_numbers else '%s, expected' % actual }})
print("torch.compile: the same")
