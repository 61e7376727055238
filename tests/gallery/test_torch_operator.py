"""The gallery's operator for torch, on tensors of the CPU and of a GPU."""

import numpy as np
import pytest

import launchpath as lp
import splats
from tests.gallery.test_splats import drawn

torch = pytest.importorskip("torch", reason="torch is missing: pip install torch")
torch_operator = pytest.importorskip("torch_operator")


@pytest.fixture(params=["cpu", "cuda"])
def where(request):
    """The place of tensors, if launchpath has a device for them."""
    if request.param == "cuda" and not torch.cuda.is_available():
        pytest.skip("torch has no CUDA device here")
    try:
        torch_operator.device_for(torch.zeros(1, device=request.param))
    except (lp.NoDeviceError, StopIteration):
        pytest.skip(f"launchpath has no device for torch's {request.param} here")
    return request.param


def test_pictures_and_gradients_are_numpys(where, capsys):
    torch_operator.compare(torch.tensor(drawn(20), dtype=torch.float32, device=where), 12, 17)
    printed = capsys.readouterr().out
    assert "pictures: largest" in printed and "gradients: largest" in printed


def test_torch_accepts_the_operator(where):
    values = torch.tensor(drawn(4), dtype=torch.float32, device=where, requires_grad=True)
    torch.library.opcheck(torch_operator.splat, (values, 6, 5))


def test_tensors_that_are_not_contiguous(where):
    exact = drawn(4)
    values = torch.tensor(exact.T.copy(), dtype=torch.float32, device=where).T
    assert not values.is_contiguous()
    picture = torch_operator.splat(values, 6, 5).cpu().numpy()
    np.testing.assert_allclose(picture, splats.numpy_forward(exact, 6, 5), atol=1e-4)


def test_other_types_and_places_are_refused(where):
    with pytest.raises(lp.SignatureError, match="float64|double"):
        torch_operator.splat(torch.tensor(drawn(4), device=where), 6, 5)
    with pytest.raises(ValueError, match="expected a tensor on a CPU or a GPU, got one on meta"):
        torch_operator.device_for(torch.zeros(1, device="meta"))


def test_splats_fit_a_picture(where):
    exact = torch.tensor(drawn(5), dtype=torch.float32, device=where)
    target = torch_operator.splat(exact, 16, 16)
    _, errors = torch_operator.fitted(exact + 0.1, target, 40)
    assert errors[-1] < errors[0] / 5


def test_the_program(where, monkeypatch, capsys, tmp_path):
    sizes = ("--splats", "10", "--size", "16", "--steps", "3")
    monkeypatch.setattr("sys.argv", ["x", "--device", where, "--output", str(tmp_path / "x.png"), *sizes])
    torch_operator.main()
    assert "3 steps in" in capsys.readouterr().out
    assert (tmp_path / "x.png").exists()
