"""Work that a Dask cluster does: its scheduler, its workers, and what both sides know of a run."""
