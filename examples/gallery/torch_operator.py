"""An operator for torch with its gradient, by two kernels: splats of colour that torch fits to a picture.

``gallery::splat`` is a custom operator of torch. Its kernels are ``splat_forward`` and ``splat_backward`` of
``splats.cu``. On a GPU they work on torch's own memory and stream. For tensors on the CPU, launchpath runs them on an
OpenCL device, and copies from and to the tensors. torch's own optimizer fits the splats to a picture.

The program compares the operator and its gradient with NumPy. It needs torch, which ``pip install torch`` installs.

Run ``python examples/gallery/torch_operator.py``.
"""

from __future__ import annotations

from time import perf_counter

import numpy as np
import numpy.typing as npt
import torch
from matplotlib.figure import Figure

import launchpath as lp
import splats
from image_filters import own_picture
from picture import checked, options_of, save


def device_for(tensor: torch.Tensor) -> lp.Device:
    """Return launchpath's device for a tensor: the same GPU, or an OpenCL device that is a CPU."""
    if tensor.device.type == "cpu":
        return lp.device("opencl cpu")
    if tensor.device.type == "cuda":
        return next(each for each in lp.devices() if each.driver != "opencl" and each.ordinal == tensor.device.index)
    raise ValueError(f"expected a tensor on a CPU or a GPU, got one on {tensor.device}: move it with .to()")


@torch.library.custom_op("gallery::splat", mutates_args=())
def splat(values: torch.Tensor, height: int, width: int) -> torch.Tensor:
    """Draw splats: float32 of shape (count, 6) gives a picture of shape (height, width, 3)."""
    device, values = device_for(values), values.contiguous()
    picture = values.new_empty((height, width, 3))
    if device.driver == "opencl":
        out = lp.Out(picture.numpy())
        splats.forward(device, len(values), height, width, lp.In(values.numpy()), out)
        out.get()
    else:
        with lp.interop.follow_torch():  # torch's current stream: in order with torch's own kernels
            splats.forward(device, len(values), height, width, values, picture)
    return picture


@torch.library.custom_op("gallery::splat_backward", mutates_args=())
def splat_backward(values: torch.Tensor, grad: torch.Tensor) -> torch.Tensor:
    """Compute the gradient of the splats for the gradient of a picture."""
    device, values, grad = device_for(values), values.contiguous(), grad.contiguous()
    height, width, _ = grad.shape
    values_grad = torch.empty_like(values)
    if device.driver == "opencl":
        out = lp.Out(values_grad.numpy())
        splats.backward(device, len(values), height, width, lp.In(values.numpy()), lp.In(grad.numpy()), out)
        out.get()
    else:
        with lp.interop.follow_torch():
            splats.backward(device, len(values), height, width, values, grad, values_grad)
    return values_grad


# What torch.compile needs: the shapes, without running the kernels.
@splat.register_fake
def _(values: torch.Tensor, height: int, width: int) -> torch.Tensor:
    return values.new_empty((height, width, 3))


@splat_backward.register_fake
def _(values: torch.Tensor, grad: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(values)


def keep(ctx: torch.autograd.function.FunctionCtx, inputs: tuple[torch.Tensor, int, int], output: torch.Tensor) -> None:
    """Keep the splats for the way back."""
    ctx.save_for_backward(inputs[0])


def gradient(ctx: torch.autograd.function.FunctionCtx, grad: torch.Tensor) -> tuple[torch.Tensor, None, None]:
    """Return the gradient of each argument; the height and the width have none."""
    (values,) = ctx.saved_tensors
    return splat_backward(values, grad), None, None


splat.register_autograd(gradient, setup_context=keep)


def start(count: int, width_of_height: float) -> torch.Tensor:
    """Return small grey splats at random places."""
    random = np.random.default_rng(1)
    place = random.uniform(0, 1, (count, 2)) * (width_of_height, 1)
    values = np.column_stack([place, np.full(count, np.log(0.6 / np.sqrt(count))), np.full((count, 3), 0.3)])
    return torch.tensor(values, dtype=torch.float32)


def fitted(values: torch.Tensor, target: torch.Tensor, steps: int) -> tuple[torch.Tensor, list[float]]:
    """Fit splats to a picture: the splats, and the mean squared error of each step."""
    values = values.clone().requires_grad_()
    optimizer, errors = torch.optim.Adam([values], lr=0.01), []
    for _ in range(steps):
        optimizer.zero_grad()
        error = ((splat(values, *target.shape[:2]) - target) ** 2).mean()
        error.backward()
        optimizer.step()
        errors.append(error.detach())
    return values.detach(), [float(error) for error in errors]


def compare(values: torch.Tensor, height: int, width: int) -> None:
    """Compare the operator and its gradient with NumPy, in double precision."""
    values = values.clone().requires_grad_()
    picture = splat(values, height, width)
    weights = torch.tensor(np.random.default_rng(2).normal(size=picture.shape), dtype=torch.float32)
    (picture * weights.to(picture.device)).sum().backward()
    exact = values.detach().cpu().numpy().astype("float64")
    checked("pictures", picture.detach().cpu().numpy(), splats.numpy_forward(exact, height, width), 1e-4)
    checked("gradients", values.grad.cpu().numpy(), splats.numpy_backward(exact, weights.numpy()), 1e-3)


def draw(pictures: dict[str, npt.NDArray[np.float32]]) -> Figure:
    """Draw the pictures side by side."""
    figure = Figure(figsize=(7.6, 2.2), layout="constrained")
    for axes, (name, picture) in zip(figure.subplots(1, len(pictures)), pictures.items(), strict=True):
        axes.imshow(np.clip(picture, 0, 1))
        axes.set_title(name)
        axes.set_axis_off()
    return figure


def main() -> None:
    """Run the program."""
    parser = options_of(__doc__, "torch_operator.png", splats=300, size=96, steps=300)
    parser.set_defaults(device="cuda" if torch.cuda.is_available() else "cpu")
    options = parser.parse_args()
    target = torch.tensor(np.asarray(own_picture(options.size), "float32") / 255, device=options.device)
    height, width, _ = target.shape
    values = start(options.splats, width / height).to(target.device)
    print(f"{torch.__version__} on {target.device}: kernels on {device_for(values).name}")
    compare(values, height, width)
    first, began = splat(values, height, width), perf_counter()
    values, errors = fitted(values, target, options.steps)
    print(f"{options.steps} steps in {perf_counter() - began:.2f} s, error from {errors[0]:.4f} to {errors[-1]:.4f}")
    last = splat(values, height, width)
    pictures = {"target": target, "start": first, f"{options.steps} steps": last}
    save(draw({name: picture.cpu().numpy() for name, picture in pictures.items()}), options.output, colours=128)


if __name__ == "__main__":
    main()
