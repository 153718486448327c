import type { LocalModel } from '../../domain/providers/local-models.ts';

/** One entry of GET /workspace/models. */
export const toModel = (model: LocalModel) => ({
  id: model.id,
  part: model.part,
  engine: model.engine,
  languages: [...model.languages],
  bytes: model.bytes,
  licence: model.licence,
  quality: model.quality,
  cost: model.cost,
  improves: model.improves,
  is_pinned: model.isPinned,
  runs_here: model.runsHere,
  state: model.state,
  download:
    model.download === null
      ? null
      : {
          state: model.download.state,
          file: model.download.file,
          source: model.download.source,
          done_bytes: model.download.doneBytes,
          total_bytes: model.download.totalBytes,
          failure: model.download.failure,
        },
});
