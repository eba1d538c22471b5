"""Writes goldens.json beside this file: losses, gradients and AdamW steps as PyTorch works them out, in float64.

Run with any Python 3.10 or newer that has torch: python make-goldens.py
"""

import json
import pathlib

import torch

torch.set_default_dtype(torch.float64)
torch.manual_seed(20)


def ragged_batch(sizes):
    rows = sum(sizes)
    logits = torch.randn(rows) * 1.5
    chosen = [int(torch.randint(size, ())) for size in sizes]
    advantage = torch.randn(len(sizes)) * 1.5
    weight = torch.rand(len(sizes)) + 0.5
    weight[3] = 0
    reference = torch.cat([torch.log_softmax(torch.randn(size), 0) for size in sizes])
    current = [torch.log_softmax(part, 0)[index] for part, index in zip(logits.split(sizes), chosen)]
    proximal = torch.stack(current) + torch.randn(len(sizes)) * 0.5
    behaviour = proximal + torch.randn(len(sizes)) * 0.2
    single = lambda values: values.to(torch.float32).to(torch.float64)
    return {
        "sizes": sizes,
        "chosen": chosen,
        "logits": single(logits),
        "advantage": single(advantage),
        "weight": single(weight),
        "referenceLogprobs": single(reference),
        "proximalLogprob": single(proximal),
        "behaviourLogprob": single(behaviour),
    }


def clipped_case(batch, objective):
    logits = batch["logits"].clone().requires_grad_()
    policy, entropy, kl, ratios, clipped = [], [], [], [], []
    for at, (part, reference) in enumerate(zip(logits.split(batch["sizes"]), batch["referenceLogprobs"].split(batch["sizes"]))):
        distribution = torch.distributions.Categorical(logits=part / objective["temperature"])
        logprob = distribution.log_prob(torch.tensor(batch["chosen"][at]))
        ratio = torch.exp(torch.clamp(logprob - batch["proximalLogprob"][at], -20, 20))
        advantage = batch["advantage"][at]
        open_loss = -advantage * ratio
        bounded = -advantage * torch.clamp(ratio, 1 - objective["low"], 1 + objective["high"])
        loss = torch.maximum(open_loss, bounded)
        is_clipped = bool(bounded > open_loss)
        if objective.get("dualClip") is not None and advantage < 0:
            is_clipped = is_clipped or bool(open_loss > -advantage * objective["dualClip"])
            loss = torch.minimum(loss, -advantage * objective["dualClip"])
        if objective.get("importanceCap") is not None:
            loss = loss * torch.clamp(torch.exp(batch["proximalLogprob"][at] - batch["behaviourLogprob"][at]), max=objective["importanceCap"])
        policy.append(loss)
        entropy.append(distribution.entropy())
        kl.append(torch.distributions.kl_divergence(distribution, torch.distributions.Categorical(logits=reference)))
        ratios.append(ratio)
        clipped.append(float(is_clipped))
    weight = batch["weight"]
    mean = lambda values: (torch.stack(values) * weight).sum() / weight.sum()
    total = mean(policy) + objective["klWeight"] * mean(kl) - objective["entropyWeight"] * mean(entropy)
    total.backward()
    figures = {
        "loss": total.item(),
        "policyLoss": mean(policy).item(),
        "entropy": mean(entropy).item(),
        "referenceKl": mean(kl).item(),
        "meanRatio": mean(ratios).item(),
        "largestRatio": max(ratio.item() for ratio, weight in zip(ratios, weight) if weight > 0),
        "clipFraction": ((torch.tensor(clipped) * weight).sum() / weight.sum()).item(),
    }
    return {"objective": {"kind": "policy", **objective}, "figures": figures, "gradient": logits.grad.tolist()}


def imitate_case(batch, objective):
    logits = batch["logits"].clone().requires_grad_()
    losses, entropy = [], []
    for at, part in enumerate(logits.split(batch["sizes"])):
        scaled = part / objective["temperature"]
        target = torch.tensor([batch["chosen"][at]])
        losses.append(torch.nn.functional.cross_entropy(scaled[None], target, label_smoothing=objective["labelSmoothing"]))
        entropy.append(torch.distributions.Categorical(logits=scaled).entropy())
    weight = batch["weight"]
    mean = lambda values: (torch.stack(values) * weight).sum() / weight.sum()
    total = mean(losses) - objective["entropyWeight"] * mean(entropy)
    total.backward()
    figures = {"loss": total.item(), "policyLoss": mean(losses).item(), "entropy": mean(entropy).item()}
    return {"objective": {"kind": "imitate", **objective}, "figures": figures, "gradient": logits.grad.tolist()}


def adam_case(constants, max_norm):
    value = torch.nn.Parameter((torch.randn(13) * 2).to(torch.float32).to(torch.float64))
    optimiser = torch.optim.AdamW(
        [value],
        lr=constants["learningRate"],
        betas=(constants["beta1"], constants["beta2"]),
        eps=constants["epsilon"],
        weight_decay=constants["weightDecay"],
    )
    case = {"constants": constants, "maxGradNorm": max_norm, "start": value.tolist(), "steps": []}
    for _ in range(4):
        gradient = torch.randn(13).to(torch.float32).to(torch.float64)
        value.grad = gradient.clone()
        norm = torch.nn.utils.clip_grad_norm_([value], max_norm).item()
        optimiser.step()
        state = optimiser.state[value]
        case["steps"].append(
            {
                "gradient": gradient.tolist(),
                "gradNorm": norm,
                "value": value.tolist(),
                "first": state["exp_avg"].tolist(),
                "second": state["exp_avg_sq"].tolist(),
            }
        )
    return case


def main():
    batch = ragged_batch([3, 1, 7, 4, 2, 12, 5, 6, 2, 9])
    goldens = {
        "torch": torch.__version__.split("+")[0],
        "batch": {name: value.tolist() if torch.is_tensor(value) else value for name, value in batch.items()},
        "cases": [
            clipped_case(batch, {"temperature": 1.0, "low": 0.2, "high": 0.28, "klWeight": 0.0, "entropyWeight": 0.0}),
            clipped_case(batch, {"temperature": 1.3, "low": 0.1, "high": 0.2, "dualClip": 1.5, "klWeight": 0.3, "entropyWeight": 0.05, "importanceCap": 1.05}),
            clipped_case(batch, {"temperature": 0.5, "low": 0.2, "high": 0.2, "dualClip": 3.0, "klWeight": 0.0, "entropyWeight": 0.1}),
            imitate_case(batch, {"temperature": 1.0, "labelSmoothing": 0.0, "entropyWeight": 0.0}),
            imitate_case(batch, {"temperature": 2.0, "labelSmoothing": 0.2, "entropyWeight": 0.1}),
        ],
        "adam": [
            adam_case({"learningRate": 1e-2, "beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8, "weightDecay": 0.0}, 1e9),
            adam_case({"learningRate": 3e-2, "beta1": 0.8, "beta2": 0.95, "epsilon": 1e-4, "weightDecay": 0.1}, 1.0),
        ],
    }
    pathlib.Path(__file__).with_name("goldens.json").write_text(json.dumps(goldens, indent=1) + "\n")


main()
