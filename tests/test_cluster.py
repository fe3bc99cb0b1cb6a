"""What a cluster promises: what threads of one machine count, to the last bit, though a worker dies in mid-run."""

import os
import pickle
import signal
from collections.abc import Iterator
from typing import Any

import pytest
from test_kernel_rules import rules_of

import analyzer.cluster
import analyzer.simulate
from analyzer.batches import How, run_study
from analyzer.cli import main
from analyzer.compare import CompareStudy
from analyzer.rules import GAMES
from analyzer.simulate import SimulateStudy
from analyzer.strategy import find_strategy
from kernels.compile import JIT

Printed = pytest.CaptureFixture[str]
pytestmark = [
    pytest.mark.filterwarnings("ignore"),  # of the cluster's own: a killed worker leaves sockets behind
    pytest.mark.skipif(not JIT, reason="too many deals for plain Python"),
]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two worker processes on this machine."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as workers:
        yield workers


@pytest.mark.parametrize("game", GAMES)
def test_a_study_travels_to_another_process(game: str) -> None:
    rules = rules_of(game, {})
    strategies = tuple(find_strategy(name, rules) for name in ("standard", "random"))
    study = CompareStudy(rules, strategies, 5)
    assert pickle.loads(pickle.dumps(study)).identity() == study.identity()


def test_a_cluster_counts_what_threads_count_though_a_worker_dies(cluster: Any) -> None:
    rules = rules_of("two-handed", {})
    standard = find_strategy("standard", rules)
    study, deals = SimulateStudy(rules, (standard, standard), 2), 12 * analyzer.simulate.CHUNK + 5
    whole = run_study(study, deals, How())
    killed: list[int] = []

    def progress(_: int) -> None:
        if not killed:
            victim = next(iter(cluster.workers.values()))
            killed.append(victim.pid)
            os.kill(victim.pid, signal.SIGKILL)

    spread = run_study(study, deals, How(progress=progress, cluster=cluster.scheduler_address))
    assert killed
    assert spread.deals == whole.deals == deals
    assert all((spread.sums[name] == whole.sums[name]).all() for name in whole.sums)


def test_the_command_runs_on_a_cluster(cluster: Any, capsys: Printed) -> None:
    words = ["compare", "standard", "bold", "-g", "two", "--deals", "70000", "--format", "csv"]
    assert main(words) == 0
    here = capsys.readouterr().out
    assert main([*words, "--cluster", cluster.scheduler_address]) == 0
    assert capsys.readouterr().out == here


def test_a_cluster_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch, capsys: Printed) -> None:
    monkeypatch.setattr(analyzer.cluster, "WAIT", 0.5)
    for address in ("tcp://127.0.0.1:1", "nonsense"):
        assert main(["simulate", "-g", "two", "--deals", "10", "--cluster", address]) == 2
        assert f"no scheduler answers at --cluster {address}" in capsys.readouterr().err


def test_workers_of_another_version_are_refused(cluster: Any, monkeypatch: pytest.MonkeyPatch, capsys: Printed) -> None:
    monkeypatch.setattr(analyzer.cluster, "digest", lambda: "other")
    assert main(["simulate", "-g", "two", "--deals", "10", "--cluster", cluster.scheduler_address]) == 2
    assert "install the same on all" in capsys.readouterr().err
