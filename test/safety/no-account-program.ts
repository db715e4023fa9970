// Prints what the system knows about a user.
import { daemonSocket, okaHome } from '../../src/config/index.ts';
import { userHome, userName } from '../../src/disk/index.ts';

const refusal = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
};
const { folder } = daemonSocket({ workspace: '/w', home: '/h' });
console.log(JSON.stringify({ name: userName(), home: userHome(), folder, oka: refusal(okaHome) }));
