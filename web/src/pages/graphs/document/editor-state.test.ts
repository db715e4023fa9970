import { expect, test } from 'vitest';
import { addNode, emptyDocument, setSetting } from './edit-document.ts';
import { type EditorAction, editorReducer, startEditor, textOf } from './editor-state.ts';

const empty = emptyDocument('a', 'A');
const withTool = addNode(empty, 'tool', 'start').document;
const after = (...actions: readonly EditorAction[]) => actions.reduce(editorReducer, startEditor(empty));

test('undo and redo go through the edits, in the text as well', () => {
  const undone = after({ kind: 'edit', document: withTool }, { kind: 'undo' });
  expect(undone).toMatchObject({ document: empty, text: textOf(empty) });
  expect(editorReducer(undone, { kind: 'redo' })).toMatchObject({
    document: withTool,
    text: textOf(withTool),
  });
});

test('a new edit drops what was undone', () => {
  const state = after(
    { kind: 'edit', document: withTool },
    { kind: 'undo' },
    { kind: 'edit', document: setSetting(empty, 'name', 'B') },
    { kind: 'redo' },
  );
  expect(state.document).toMatchObject({ name: 'B' });
});

test('letters typed into one field are one step', () => {
  const key = 'name';
  const state = after(
    { kind: 'edit', key, document: setSetting(empty, 'name', 'B') },
    { kind: 'edit', key, document: setSetting(empty, 'name', 'BC') },
    { kind: 'undo' },
  );
  expect(state.document).toBe(empty);
});

test('valid text is the document and stays as it was typed', () => {
  const text = JSON.stringify(withTool);
  expect(after({ kind: 'type', text })).toMatchObject({ document: withTool, text });
});

test('invalid text keeps the document, and undo drops the text', () => {
  const state = after({ kind: 'edit', document: withTool }, { kind: 'type', text: '{ "nodes": [' });
  expect(state.document).toBe(withTool);
  expect(state.textProblem).toContain('JSON');
  const undone = editorReducer(state, { kind: 'undo' });
  expect(undone).toMatchObject({ document: withTool, text: textOf(withTool) });
  expect(undone).not.toHaveProperty('textProblem');
});

test('JSON that cannot be drawn keeps the document and says why', () => {
  const state = after({ kind: 'type', text: '{"nodes":[{"type":"end"}]}' });
  expect(state.document).toBe(empty);
  expect(state.textProblem).toContain('node_id');
});

test('nothing to undo or redo changes nothing', () => {
  expect(after({ kind: 'undo' }, { kind: 'redo' })).toEqual(startEditor(empty));
});

test('saving sets the version and keeps the history', () => {
  const state = after({ kind: 'edit', document: withTool }, { kind: 'saved', version: 2 });
  expect(state.document).toEqual({ ...withTool, version: 2 });
  expect(JSON.parse(state.text)).toMatchObject({ version: 2 });
  expect(editorReducer(state, { kind: 'undo' }).document).toBe(empty);
});
