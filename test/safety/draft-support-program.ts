// Prints which kind of draft the user of this process can get, for a state folder and a workspace below the working directory.
import { resolve } from 'node:path';
import { probeDrafts } from '../../src/adapters/processes/index.ts';

const [state = '', workspace = ''] = process.argv.slice(2).map((name) => resolve(name));
console.log(JSON.stringify(probeDrafts({ state, workspace })));
