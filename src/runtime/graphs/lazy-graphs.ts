import type { GraphApi } from '../../api/index.ts';

/**
 * Graphs that are loaded with the first call, so that commands about something else start quickly; listing them needs
 * no more than their files.
 */
export function lazyGraphs(load: () => Promise<GraphApi>, list: GraphApi['list']): GraphApi {
  return {
    schema: async () => (await load()).schema(),
    list,
    validate: async (graph, mode) => (await load()).validate(graph, mode),
    show: async (graph) => (await load()).show(graph),
    render: async (graph, options) => (await load()).render(graph, options),
    patch: async (graph, node, field, value) => (await load()).patch(graph, node, field, value),
    build: async (intent, options) => (await load()).build(intent, options),
    fromRun: async (run, options) => (await load()).fromRun(run, options),
    run: async (request) => (await load()).run(request),
    replay: async (run, options) => (await load()).replay(run, options),
    runs: async (graph, limit, full) => (await load()).runs(graph, limit, full),
    repinDifferences: async (run) => (await load()).repinDifferences(run),
    state: {
      list: async (graph) => (await load()).state.list(graph),
      get: async (graph, key) => (await load()).state.get(graph, key),
      history: async (graph, key, limit) => (await load()).state.history(graph, key, limit),
      checkpoints: async (run) => (await load()).state.checkpoints(run),
    },
    schedules: {
      add: async (request) => (await load()).schedules.add(request),
      list: async () => (await load()).schedules.list(),
      enable: async (id, by) => (await load()).schedules.enable(id, by),
      disable: async (id, by) => (await load()).schedules.disable(id, by),
      delete: async (id, by) => (await load()).schedules.delete(id, by),
      trigger: async (id, by, patienceMs) => (await load()).schedules.trigger(id, by, patienceMs),
      tick: async (options) => (await load()).schedules.tick(options),
      process: async () => (await load()).schedules.process(),
      loop: async (signal, onFired, onOutcome) => (await load()).schedules.loop(signal, onFired, onOutcome),
    },
  };
}
