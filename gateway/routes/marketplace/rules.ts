import Type from 'typebox'
import type { SplitRuleId } from '../../../engine/shared/ids.ts'
import { sortedMetadata } from '../../../engine/shared/metadata.ts'
import { commandRoute, queryRoute } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import { notFound } from '../../problems/problem.ts'
import { booleanOf } from '../../resources/fields.ts'
import { listOfRows, wholeListView } from '../../resources/list.ts'
import { splitRule } from '../../resources/marketplace/split-rule.ts'
import { removalOf, removalView } from '../../resources/removal.ts'
import { metadata, textUpTo } from '../../schema/schema.ts'
import { forExisting, forNew } from '../command-target.ts'
import { ofSplit } from '../groups.ts'
import { activeParameter, readActive, readWholeList, unpaginated, wholeListParameters } from '../paging.ts'
import { itemsField, readItems } from './items.ts'

export const createSplitRuleRoute = commandRoute({
  ...ofSplit,
  verb: 'POST',
  path: '/v1/split/rules',
  operationId: 'createSplitRule',
  summary: 'Create a split rule',
  description:
    'It divides the charges that name it as `splitRuleId`, and no others. The company gets whatever is left.',
  status: 201,
  refusals: [422],
  body: Type.Object({
    name: textUpTo(bounds.nameCharsMax, 'Your own name of the rule.'),
    active: Type.Optional(booleanOf('Default true.')),
    items: itemsField,
    metadata: Type.Optional(metadata),
  }),
  answer: splitRule.schema,
  read: (body) => {
    const items = readItems(body.items)
    if (!items.ok) return items
    return {
      ok: true,
      input: {
        name: body.name.trim(),
        isActive: body.active ?? true,
        items: items.input,
        metadata: sortedMetadata(body.metadata ?? {}),
      },
    } as const
  },
  command: (input, request) => ({ type: 'CreateSplitRule', ...forNew('ruleId', request), ...input }),
  view: ({ state }) => ({ location: `/v1/split/rules/${state.id}`, body: splitRule.view(state) }),
})

export const listSplitRulesRoute = queryRoute({
  ...ofSplit,
  verb: 'GET',
  path: '/v1/split/rules',
  operationId: 'listSplitRules',
  summary: 'List split rules',
  description: unpaginated,
  parameters: wholeListParameters({ active: activeParameter }),
  answer: listOfRows(splitRule.schema),
  read: (query) => readWholeList(query, { active: readActive(query.active) }),
  query: (input, { accountId }) => ({ type: 'ListSplitRules', accountId, ...input }) as const,
  view: (listed, input) => ({ body: wholeListView(listed, input, splitRule.view) }),
})

export const getSplitRuleRoute = queryRoute({
  ...ofSplit,
  verb: 'GET',
  path: '/v1/split/rules/:id',
  operationId: 'getSplitRule',
  summary: 'Get one split rule',
  description:
    'Shows the rule as new charges take it; existing charges keep the rule that they were created with.',
  refusals: [404],
  answer: splitRule.schema,
  query: (_, { accountId, id }) => ({ type: 'FindSplitRule', accountId, ruleId: id as SplitRuleId }) as const,
  view: (found) => (found === null ? notFound('split_rule') : { body: splitRule.view(found) }),
})

export const changeSplitRuleRoute = commandRoute({
  ...ofSplit,
  verb: 'PATCH',
  path: '/v1/split/rules/:id',
  operationId: 'changeSplitRule',
  summary: 'Change a split rule',
  description:
    'Fields that are left out stay as they are; items are replaced as a whole. Existing charges keep the rule that they were created with.',
  refusals: [404, 422],
  body: Type.Object({
    name: Type.Optional(textUpTo(bounds.nameCharsMax, 'Your own name of the rule.')),
    active: Type.Optional(booleanOf('New charges cannot take an inactive one.')),
    items: Type.Optional(itemsField),
    metadata: Type.Optional(metadata),
  }),
  answer: splitRule.schema,
  read: (body) => {
    const items = body.items === undefined ? null : readItems(body.items)
    if (items?.ok === false) return items
    const changes = {
      ...(body.name !== undefined && { name: body.name.trim() }),
      ...(body.active !== undefined && { isActive: body.active }),
      ...(items !== null && { items: items.input }),
      ...(body.metadata !== undefined && { metadata: sortedMetadata(body.metadata) }),
    }
    return { ok: true, input: { changes } } as const
  },
  command: (input, request) => ({ type: 'ChangeSplitRule', ...forExisting('ruleId', request), ...input }),
  view: ({ state }) => ({ body: splitRule.view(state) }),
})

export const deleteSplitRuleRoute = commandRoute({
  ...ofSplit,
  verb: 'DELETE',
  path: '/v1/split/rules/:id',
  operationId: 'deleteSplitRule',
  summary: 'Remove a split rule',
  description: 'A rule that a charge or a plan has used is only deactivated (`deleted` is false).',
  refusals: [404],
  answer: removalOf('SplitRuleRemoval', 'split_rule'),
  command: (_, request) => ({ type: 'RemoveSplitRule', ...forExisting('ruleId', request) }),
  view: ({ state }) => ({ body: removalView('split_rule', state) }),
})
