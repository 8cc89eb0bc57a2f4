        ctx.save_for_backward({{ tensors }})
