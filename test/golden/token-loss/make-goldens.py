"""Writes goldens.json beside this file: losses over tokens and their derivatives as PyTorch's autograd gives them, in float64.

A batch is three rows of scored tokens, each with logits over nine tokens; derivatives are by the log-probability of each token and
by its entropy, which the loss is told apart by two leaves that add to them and are zero.

Run with any Python 3.10 or newer that has torch: python make-goldens.py
"""

import json
import pathlib

import torch

torch.set_default_dtype(torch.float64)
torch.manual_seed(31)

lengths = [4, 1, 7]
count = sum(lengths)
single = lambda values: values.to(torch.float32).to(torch.float64)


def make_batch():
    distribution = torch.distributions.Categorical(logits=torch.randn(count, 9) * 1.5)
    logprob = distribution.log_prob(torch.randint(9, (count,)))
    weight = torch.rand(count) + 0.5
    weight[2] = 0
    proximal = logprob + torch.randn(count) * 0.4
    reference = logprob + torch.randn(count) * 0.7
    reference[6] = logprob[6] + 4  # where k3 is above its bound
    return {
        "logprob": single(logprob),
        "entropy": single(distribution.entropy()),
        "advantage": single(torch.randn(count) * 1.5),
        "weight": single(weight),
        "proximalLogprob": single(proximal),
        "behaviourLogprob": single(proximal + torch.randn(count) * 0.3),
        "referenceLogprob": single(reference),
    }


def far_from(batch):
    """The same where two ratios are beyond their bounds, and no clipping hides it."""
    proximal, advantage = batch["proximalLogprob"].clone(), batch["advantage"].clone()
    proximal[4] = batch["logprob"][4] - 12  # alone in its row: beyond the bound on log-ratios of sequences
    proximal[5] = batch["logprob"][5] - 25  # beyond that on log-ratios of tokens
    advantage[4], advantage[5] = -0.75, -1.25
    return batch | {"proximalLogprob": single(proximal), "advantage": advantage}


def kl_of(estimator, logprob, reference):
    apart = logprob - reference
    k2 = 0.5 * apart.square()
    if estimator == "k1":
        value = apart
    elif estimator == "k2":
        value = k2
    else:
        back = torch.clamp(-apart, -20, 20)
        value = torch.clamp(torch.exp(back) - back - 1, -10, 10)
    return k2 - k2.detach() + value.detach()  # straight through: its value, k2's gradient


def log_ratios(batch, logprob, kind):
    apart = logprob - batch["proximalLogprob"]
    if kind == "token":
        return torch.clamp(apart, -20, 20)
    parts = []
    for values, own, weight in zip(apart.split(lengths), logprob.split(lengths), batch["weight"].split(lengths)):
        trained = weight > 0
        mean = values[trained].mean().detach()
        parts.append(torch.clamp(mean + own - own.detach(), max=10))
    return torch.cat(parts)


def clipped_losses(batch, logprob, objective):
    advantage = batch["advantage"]
    ratio = torch.exp(log_ratios(batch, logprob, objective["ratio"]))
    loss = torch.maximum(-advantage * ratio, -advantage * torch.clamp(ratio, 1 - objective["low"], 1 + objective["high"]))
    if "dualClip" in objective:
        loss = torch.where(advantage < 0, torch.minimum(loss, -advantage * objective["dualClip"]), loss)
    if "importanceCap" in objective:
        loss = loss * torch.exp(batch["proximalLogprob"] - batch["behaviourLogprob"]).clamp(max=objective["importanceCap"])
    return loss, ratio


def case(batch, objective, normaliser):
    logprob = batch["logprob"].clone().requires_grad_()
    entropy = batch["entropy"].clone().requires_grad_()
    if objective["kind"] == "imitate":
        losses, ratio, kl = -logprob, torch.ones(count), torch.zeros(count)
    else:
        losses, ratio = clipped_losses(batch, logprob, objective)
        kl = kl_of(objective["klEstimator"], logprob, batch["referenceLogprob"])
    weight = batch["weight"]
    mean = lambda values: ((values * weight).sum() / weight.sum()).item()
    total = losses + objective.get("klWeight", 0) * kl - objective["entropyWeight"] * entropy
    loss = (total * weight).sum() / normaliser
    loss.backward()
    figures = {
        "loss": loss.item(),
        "policyLoss": mean(losses),
        "entropy": mean(entropy),
        "referenceKl": mean(kl),
        "meanRatio": mean(ratio),
        "largestRatio": ratio[weight > 0].max().item(),
    }
    nothing = torch.zeros(count)
    slopes = {"logprob": logprob.grad.tolist(), "entropy": (nothing if entropy.grad is None else entropy.grad).tolist()}
    return {"objective": objective, "normaliser": normaliser, "figures": figures, "slopes": slopes}


def main():
    near = make_batch()
    batches = {"near": near, "far": far_from(near)}
    clipped = {"kind": "policy", "ratio": "token", "low": 0.2, "high": 0.28, "klWeight": 0, "klEstimator": "k3", "entropyWeight": 0}
    whole = near["weight"].sum().item()
    sequence = clipped | {"ratio": "sequence"}
    cases = [
        ("near", {"kind": "imitate", "entropyWeight": 0}, whole),
        ("near", {"kind": "imitate", "entropyWeight": 0.03}, 5.0),
        ("near", clipped, whole),
        ("near", clipped | {"dualClip": 1.5, "importanceCap": 1.1, "entropyWeight": 0.02}, 20.0),
        ("near", clipped | {"klWeight": 0.1, "klEstimator": "k1"}, whole),
        ("near", clipped | {"klWeight": 0.1, "klEstimator": "k2"}, whole),
        ("near", clipped | {"klWeight": 0.1, "klEstimator": "k3", "importanceCap": 2}, whole),
        ("near", sequence | {"low": 0.1, "high": 0.12}, whole),
        ("near", sequence | {"low": 0.02, "high": 0.03, "dualClip": 1.2, "klWeight": 0.05}, 3.0),
        ("far", clipped, whole),
        ("far", sequence, whole),
    ]
    plain = {name: {key: values.tolist() for key, values in batch.items()} for name, batch in batches.items()}
    made = [{"batch": name} | case(batches[name], objective, normaliser) for name, objective, normaliser in cases]
    (pathlib.Path(__file__).parent / "goldens.json").write_text(json.dumps({"lengths": lengths, "batches": plain, "cases": made}, indent=1) + "\n")


main()
