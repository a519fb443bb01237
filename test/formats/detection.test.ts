import { describe, expect, it } from 'vitest';
import { headDocument, headLines } from '../../src/formats/json/json-file.ts';

describe('the head of a file', () => {
  it('returns the objects and lists in its lines, and the complete part of the last one', () => {
    expect(headLines('{"a":1}\n\n[2]\r\nnot { JSON }\n{"b":{"c":3')).toEqual([{ a: 1 }, [2], { b: { c: 3 } }]);
  });

  it('gives nothing for prose and for the lines of an indented document', () => {
    expect(headLines('# A heading\n"quoted": [\n{\n}\n12\nend')).toEqual([]);
  });

  it('is one document where it is JSON, closed where it is cut', () => {
    expect(headDocument(' {"a": [1, {"b": "c')).toEqual({ a: [1, { b: 'c' }] });
    expect(headDocument('# A heading')).toBeUndefined();
  });

  it('is looked at again when another one is asked for', () => {
    const heads = ['{"a":1}\n', '{"a":2}\n', '{"a":1}\n'];
    expect(heads.map((head) => headLines(head)[0])).toEqual([{ a: 1 }, { a: 2 }, { a: 1 }]);
    expect(heads.map((head) => headDocument(head))).toEqual([{ a: 1 }, { a: 2 }, { a: 1 }]);
  });
});
