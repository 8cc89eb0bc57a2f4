{% set star = '*args, **keywords' if item.by_name else '*args' %}
out = {{ project }}.{{ item.name }}({{ star }})
torch.testing.assert_close(out, {{ item.name }}_reference({{ star }}))
print(f"on {device}: the same as plain PyTorch")

compiled = torch.compile({{ project }}.{{ item.name }}, fullgraph=True)
torch.testing.assert_close(compiled({{ star }}), out)
print("torch.compile: the same")
