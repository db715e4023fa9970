import { expect, it } from 'vitest';
import { digestOfJson, type Json } from '../kernel/index.ts';
import { builtInTools } from './built-in-tools.ts';
import { PINNED_DIGESTS } from './reworded-tools.ts';

/** The digest of each tool without descriptions, in the version that PINNED_DIGESTS was taken from or a compatible later one. */
const SHAPES: Readonly<Record<string, string>> = {
  'files.read': 'd98ad5319c0abfccbf6ef54ca515c1ef78dc4fe79e0e5d432c4cebaa9499b470',
  'files.list': 'a247b36eef3a94dc107f4f3b0cfc1669e607e5e9f06f34fb41cffe55d9d57043',
  'files.search': '4ac97e256414e491c6e6df2961349c9758199ee65909a5a682ee3350a5b58c16',
  'files.edit': 'daaa381abb9e704d58d8354dd8fff93b11316365a9b18b0f5de24c5e7060f1fd',
  'files.move': 'e5766f4169a4c5b2a6a1c4b8457cc5044551099789e89c3955b22a7da40018bb',
  'process.run': 'd38f2c9e47704b86f9f9ef7c27c1669df8b006114f79b46a31a215873388de1c',
  'http.fetch': '6e1d7fefbbf96de036185237ae8464ef1403c999c39e1849e1c3f031f3ae1afa',
  'skills.read': '7eab77b86ffee99c8dce5062a90d6a1ae35a8b9c1e0435451443d54dc9490433',
  'memory.remember': '76155ec59afd74a3e27d7943aa567cc499575a3d130914338173db1134913737',
  'memory.recall': 'ee9eb40d248fd8e8cdcda7317c3ff22750bb03f0bccfa4dcb0777acf379b0352',
  'memory.facts': 'b554232d7913f28ed0f6fcd92156edfb2744ec019abe0a8060c4ad89c7d7d748',
  'state.read': '66d61411f7f71a55455ec51e8fb5f0a42370bd3342c41871fe4d35f2a6015153',
  'state.write': '66fad8e4478139c0c0c8fbb5c15120db1408b4acda9a118d342c6860c1b21b2b',
  'chat.send': '148c845a694ef120fb66a05eec15b277e2a1a7234ebef604bd429772ddc9246b',
  'model.complete': 'e22d048a60ac97c73817077b2558872633b6f3887b90256b3a32b7d8194a749f',
  'engine.wait': '0bc390c6299326431c624756825cd57c941bc6a5f0bbe7d8b44c2a0691e46fbc',
  'engine.wait_event': '366570f9ec5b4fa6d10acafa5b744f649f5f54e4995bffe725396bf5359fd438',
  'engine.run_children': '837372662dc6d696d3978038289c574b2d62aea9ca4d2eb7639b86231fac1550',
  'assistant.check': 'e45c93162f8ac19f0a2e30aa3ad08cbb2ae4cb7e3b262961129033809d5d7690',
  'environment.install': '12600d05b742f706ca47a9b9250ef67be1b8154cfb1adf44fd30b580f2b9120d',
  'graph.run': '597601b41c8c87f08b8f67d39517a48cf8d0fcd458430425fa1eae6f90be4706',
  'context.get_node': 'c95ab654cd03a94852d76aa7451a58b851cfc336323d133757eea25f3ec24fc2',
  'context.put_frame': 'afca26f4d3ff3bc82a22b14265ce628d7a4e9e7777b3ce776c39aeed43341224',
  'context.synthesize': '3ba0d00ef73da9af718ff5e071abc4550bbe7a3ef4122b83dba5321eb15f6d20',
  'context.compose': '6bd6f50ca955c2485d6a652e2e1b0f8b06ab9cd1d8913345c50e7b34165f3820',
  'context.generate_frame': '11ea9fe4c49f4c1696c50f2649f9d20886170eea3a60ff6858d7810742460d23',
};

function withoutDescriptions(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutDescriptions);
  if (value === null || typeof value !== 'object') return value;
  const fields = Object.entries(value).filter(
    ([name, field]) => name !== 'description' || typeof field !== 'string',
  );
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutDescriptions(field as Json)]));
}

it('pins a tool to an earlier digest only while its fields are the same', () => {
  const pinned = builtInTools().filter(({ name }) => name in PINNED_DIGESTS);
  expect(pinned.map(({ name }) => name).sort()).toEqual(Object.keys(SHAPES).sort());
  for (const { name, version, input, output, annotations, sideEffect } of pinned) {
    const face = { version, input: input.json(), output: output?.json() ?? null, annotations, sideEffect };
    expect(digestOfJson(withoutDescriptions(face as unknown as Json)), name).toBe(SHAPES[name]);
  }
});
