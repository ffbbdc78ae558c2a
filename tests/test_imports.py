"""Imports go one way inside a room too, and those that were taught once still work."""

import grimp
from rustworkx import PyDiGraph, strongly_connected_components

from feltworks.kit.transcript import transcript
from feltworks.lab.transcript import transcript as lab_transcript


def test_no_module_imports_itself_by_a_detour_not_even_for_its_types() -> None:
    graph = grimp.build_graph("feltworks", cache_dir=None)
    modules = sorted(graph.modules)
    imports = PyDiGraph[str, None]()
    place = dict(zip(modules, imports.add_nodes_from(modules), strict=True))
    for module in modules:
        imports.add_edges_from_no_data(
            [(place[module], place[other]) for other in graph.find_modules_directly_imported_by(module)]
        )
    cycles = [[modules[number] for number in found] for found in strongly_connected_components(imports)]
    assert [cycle for cycle in cycles if len(cycle) > 1] == []


def test_a_transcript_can_be_imported_from_where_the_documentation_taught_it_before() -> None:
    assert lab_transcript is transcript
