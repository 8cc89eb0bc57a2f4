{% include pathjoin('variants', 'autograd', 'needed.py') %}
    if {{ item.needed_now }} and torch.is_grad_enabled():
        raise RuntimeError(
            "{{ item.name }}: {{ item.first }} requires a gradient, and there is none; detach it, or call "
            "`{{ item.name }}_reference`, which PyTorch differentiates"
        )
    return _op({{ item.pass_on }})
