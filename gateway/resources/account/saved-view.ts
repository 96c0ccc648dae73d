import type { SavedView } from '../../../engine/views/view.ts'
import { namedObject } from '../../schema/named-schema.ts'
import { datedFields, identityFields, listOf, objectName, textOf } from '../fields.ts'
import { resource, same } from '../resource.ts'

/** A person's named filters (dashboard, section 4.6). */
export const savedView = resource<SavedView>(
  'SavedView',
  'Filters of a list that a person has given a name.',
).with({
  ...identityFields('vew', 'view'),
  page: [textOf('The page of the dashboard that it filters.'), same],
  name: [textOf('What the person calls it.'), same],
  query: [textOf('The filters, as the query of the page’s address.'), same],
  ...datedFields,
})

export const savedViews = namedObject('SavedViewList', 'All views of a person.', {
  object: objectName('list'),
  data: listOf(savedView.schema, 'The oldest first.'),
})
