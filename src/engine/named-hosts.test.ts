import { describe, expect, it } from 'vitest';
import { coversHost, hostsInUrls, namedHosts } from './named-hosts.ts';

const names = (text: string, host: string): boolean => coversHost(namedHosts(text), host);

describe('the hosts that a text names', () => {
  it.each([
    ['Summarise https://news.ycombinator.test/item?id=1.', 'news.ycombinator.test'],
    ['Read NEWS.Ycombinator.TEST, please', 'news.ycombinator.test'],
    ['read (https://a.test)', 'a.test'],
    ['[a page](https://a.test/x)', 'a.test'],
    ['read a.test/path and tell me', 'a.test'],
    ['read https://a.test./x', 'a.test'],
    ['read https://a.test/x', 'a.test.'],
    ['the API at http://127.0.0.1:8080/v1', '127.0.0.1:8080'],
    ['open localhost:3000', 'localhost:3000'],
    ['open http://[::1]:3000/', '[::1]:3000'],
    ['read https://a.test:443/', 'a.test'],
    ['read https://münchen.test/', 'xn--mnchen-3ya.test'],
    ['all of ycombinator.test', 'news.ycombinator.test'],
  ])('%s → %s', (text, host) => expect(names(text, host)).toBe(true));

  it.each([
    ['Summarise ycombinator.test', 'news.ycombinator.tester'],
    ['Summarise ycombinator.test', 'notycombinator.test'],
    ['Summarise news.ycombinator.test', 'ycombinator.test'],
    ['Summarise news.ycombinator.test', 'ycombinator.test.evil.test'],
    ['Write to ann@evil.test', 'evil.test'],
    ['read https://a.test/?next=https://evil.test/', 'evil.test'],
    ['read https://a.test/evil.test/page', 'evil.test'],
    ['read https://a.test#evil.test', 'evil.test'],
    ['read https://evil.test@a.test/', 'evil.test'],
    ['read https://a.test:8443/', 'a.test'],
    ['read https://a.test/', 'a.test:8443'],
    ['read https://apple.test/', 'xn--pple-43d.test'],
    ['read https://аpple.test/', 'apple.test'],
    ['read 10.0.0.1', '10.0.0.2'],
    ['read 10.0.0.1', '1.10.0.0.1'],
    ['use version 1.2.3', '1.2.0.3'],
    ['call 127.1', '127.0.0.1'],
    ['Summarise notes.md and setup.sh', 'notes.md'],
    ['Summarise notes.md', 'secret.notes.md'],
    ['every .test host', 'evil.test'],
    ['the words com and test', 'evil.test'],
    ['read http://[::1]:3000/', '[::2]:3000'],
    ['read https://a.test\\@evil.test/', 'evil.test'],
    ['read https://{{host}}/', 'evil.test'],
    ['', 'evil.test'],
  ])('%s does not name %s', (text, host) => expect(names(text, host)).toBe(false));

  it('never returns a string that is not a host', () => {
    expect(names('use the MCP server mail', 'the MCP server mail')).toBe(false);
    expect(names('an unknown destination', 'an unknown destination')).toBe(false);
  });

  it('in a definition come only from its URLs, because definitions are full of dotted names', () => {
    const definition = JSON.stringify({
      tool: 'files.read',
      args: { url: 'https://a.test/x' },
      of: 'b.test',
    });
    expect([...hostsInUrls(definition)]).toEqual(['a.test']);
  });
});
