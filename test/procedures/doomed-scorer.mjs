// Scores the procedures of a workspace and kills itself (SIGKILL) right before or right after the commit of it.
// `node doomed-scorer.mjs <workspace> <home> before|after`
import { Oka } from '../../dist/runtime.js';

const [workspace, home, where] = process.argv.slice(2);

function doomed(store) {
  return new Proxy(store, {
    get(target, name) {
      const member = Reflect.get(target, name, target);
      if (name !== 'commit') return typeof member === 'function' ? member.bind(target) : member;
      return async (commit) => {
        const dies = commit.appends.some(({ stream }) => stream === 'procedures');
        if (dies && where === 'before') process.kill(process.pid, 'SIGKILL');
        const events = await target.commit(commit);
        if (dies && where === 'after') process.kill(process.pid, 'SIGKILL');
        return events;
      };
    },
  });
}

const oka = new Oka({ workspace, home, wrapEvents: doomed });
await oka.procedures.score('doomed');
await oka.close();
