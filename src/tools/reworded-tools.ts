/**
 * Tools whose schemas got other descriptions, or accept and return more than before: what an earlier version accepted is still
 * accepted, and new fields are optional. They keep the digest of their first wording, so that runs and procedures pinned to it
 * continue. Remove a line when the fields of its tool change in another way.
 */
export const PINNED_DIGESTS: Readonly<Record<string, string>> = {
  'files.read': '0f0ab8e8f9d0d81349dc390c43f2922c18d530345ffac8447ba006437eb0fd64',
  'files.list': 'ec4de29e9dbfd206649f01db0e5d952e9a211211c9c61c90004b57163896ec3d',
  'files.search': '34a55da6db5169f1ad24839da3ebfd1de21471152e96aa843822e4dec5662e2e',
  'files.edit': '5c44411a103d3c14559671b1001bde6ade0b3c40c23a28bf6c405e68c9db4854',
  'files.move': 'df0164c66c6b643008d9885e0f3d9b25e48460594b2c8a5b6ea0d3c72f7744ae',
  'process.run': 'ae7a1ed9e2aae7bef0155edef7c48eeed7e215e3064d014640d646bca646ec4f',
  'http.fetch': 'ee840e48cc28d0a1217161ef330cb677e928a3e924317c649af6c5ae461dbb81',
  'skills.read': '813abba2735e394dcdbcbaa35d64888184fca8cd5a3c8ea9455298a73ec12bae',
  'memory.remember': '508c1e8f519e94683cf42d9b02d39f700c1ae1f622bfb5fab8ce34a4aa97863b',
  'memory.recall': '478ceadc01d012469489648967a5d1f48091407f3111a25d860b2e877b787657',
  'memory.facts': '6d19e27166f762662ca5a4011179bab9e95130da0523b748369f74ff1f3fc548',
  'state.read': '8e6b129ee1e4256e2eed82203329db3522a277547ed4231dcae0c3699e02d94f',
  'state.write': 'abafd81d0ad47e41276655c9af9f817f552726895e2698c8259bbed8601f0049',
  'chat.send': '58a6e57959b98e60993e81067298054f1796661ef9cf8f09586dec76cd2d0be4',
  'model.complete': 'a324c78f8e36e3cc0b98dc9cef3a6baa5711584c52d83b12c5c2eac1b6a843fd',
  'engine.wait': 'ca4f0e4d78219d1da8a4c28981da768a212565389dc863d16432849a5d0ceb61',
  'engine.wait_event': '896bfe9703f9fc2c2d4b1db863d3c6a1cc1c4dcf391cb99e3eae0893935bd87a',
  'engine.run_children': '66f8b3d4891866d954e8e3f3bb8eeb3c649014d69efed617b7fc4e9f7c6749a5',
  'assistant.check': '78732e9513809207e7a25a40ef4c3a213ebac53e6361aea3e7d4d94f7768b7af',
  'environment.install': '3d817cc91fd20ded823c1530a448a04d45a9af50a3822c8ae6a96660df57a16c',
  'graph.run': 'a984624eb1e69386e1d85cbf17a46e0cba2610a4abc0479c1a6c666d44d7ae0e',
  'context.get_node': '04ecab7b0c1608efac30fc8a3050163c4e9f8fdd68f1e744a4c5d70c26a26c98',
  'context.put_frame': '60e166f32070516916dd062b9adba57246fd78b7b743bef850b10f34862e55f2',
  'context.synthesize': 'fac39b327a1a7a9a71beaa5c845f076bc35e8198316979fed0f47da611987d13',
  'context.compose': 'ce9983c4c4f85196061452019b8b0d300fd42647f2acc721bd5809373ddc127b',
  'context.generate_frame': '5229289c8d09c361ff15d109302b474336913ee3985cb73d3b219870f8dab283',
};
