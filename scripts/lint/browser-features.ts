// An ESLint rule that reports web platform features missing from the oldest supported browsers.
import type { Identifier } from '@mdn/browser-compat-data/types';
import type { Rule } from 'eslint';
import type { Node } from 'estree';
import { interfaces as api, builtins, isKnownToAll, newNames, partsOf } from './browser-data.ts';

/** Global objects, with the interfaces that define their members. */
const SINGLES: Record<string, string[]> = {
  window: ['Window'],
  globalThis: ['Window'],
  navigator: ['Navigator'],
  document: ['Document', 'Node', 'EventTarget'],
  performance: ['Performance'],
  crypto: ['Crypto'],
  caches: ['CacheStorage'],
};

/** Members that no interface of those browsers has. The rule has no types, so it compares names only. */
const NEW_MEMBERS = newNames(
  [api, builtins, builtins.Intl].flatMap(partsOf).flatMap(([, one]) => partsOf(one)),
);

/** Allows optional uses, for example `element.checkVisibility?.()`. Option `own`: names of this project's methods. */
export const browserFeatures: Rule.RuleModule = {
  meta: {
    type: 'problem',
    messages: { missing: '{{name}} is not in every supported browser' },
    schema: [{ type: 'object', properties: { own: { type: 'array' } } }],
  },
  create({ options, report, sourceCode }) {
    const own = new Set<string>(options[0]?.own);
    const globals = new Set<Node>();
    const missing = (node: Node, name: string) => report({ node, messageId: 'missing', data: { name } });
    return {
      Program() {
        for (const { identifier } of sourceCode.scopeManager.globalScope?.through ?? [])
          globals.add(identifier as Node);
      },
      Identifier(node) {
        const data = api[node.name] ?? api.Window?.[node.name] ?? builtins[node.name];
        if (globals.has(node) && data && !isKnownToAll(data)) missing(node, node.name);
      },
      MemberExpression(node) {
        const { object, property } = node;
        if (property.type !== 'Identifier' || node.computed || asksFirst(node)) return;
        const { name } = property;
        const known = object.type === 'Identifier' && globals.has(object) && memberOf(object.name, name);
        // Without a capital letter or a call it may be a property of our own data.
        const isNew = NEW_MEMBERS.has(name) && !own.has(name) && (isCalled(node) || /[A-Z]/.test(name));
        if (known ? !isKnownToAll(known) : isNew) missing(property, name);
      },
      CallExpression({ callee, arguments: [first] }) {
        const name = callee.type === 'MemberExpression' ? callee.property : callee;
        if (name.type !== 'Identifier' || name.name !== 'addEventListener' || first?.type !== 'Literal')
          return;
        if (NEW_MEMBERS.has(`${first.value}_event`)) missing(first, `The event ${first.value}`);
      },
    };
  },
};

/** Finds a member of a global object, for example `AbortSignal.timeout`, `navigator.share`, `Object.groupBy`. */
function memberOf(object: string, member: string): Identifier | undefined {
  const single = SINGLES[object]?.map((name) => api[name]?.[member]).find(Boolean);
  return (
    single ?? api[object]?.[`${member}_static`] ?? (builtins[object] ?? builtins.Intl?.[object])?.[member]
  );
}

type Member = Node & Rule.NodeParentExtension;

function isCalled(node: Member): boolean {
  return node.parent.type === 'CallExpression' && node.parent.callee === node;
}

function asksFirst(node: Member): boolean {
  const { parent } = node;
  if (parent.type === 'CallExpression') return parent.callee === node && parent.optional;
  return parent.type === 'MemberExpression' && parent.object === node && parent.optional;
}
