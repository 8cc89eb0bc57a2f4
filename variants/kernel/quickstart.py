out = {{ project }}.{{ item.name }}(*args)
expected = {{ item.name }}_reference(*args)
difference = (out - expected).abs().max().item()
print(f"on {device}: differs from plain PyTorch by at most {difference:.1e}")
{% if item.autograd != 'none' %}

out.sum().backward()
print(f"gradient: {args[{{ item.names.index(item.inputs[item.first_input].name) }}].grad.norm().item():.4f}")
{% endif %}

print("torch.compile compiles at its first call, for up to a minute", flush=True)


@torch.compile(fullgraph=True)
def compiled(*args):
    out = {{ project }}.{{ item.name }}(*args)
    return out.relu()


print(f"torch.compile: {compiled(*args).mean().item():.4f}")
