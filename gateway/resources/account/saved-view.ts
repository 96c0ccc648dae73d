import type { Static } from 'typebox'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import type { SavedView } from '../../../engine/views/view.ts'
import { namedObject } from '../../schema/named-schema.ts'
import { dated, identity, listOf, objectName, textOf } from '../fields.ts'

/** A person's named filters (dashboard, section 4.6). */
export const savedView = namedObject('SavedView', 'Filters of a list that a person has given a name.', {
  ...identity('vew', 'view'),
  page: textOf('The page of the dashboard that it filters.'),
  name: textOf('What the person calls it.'),
  query: textOf('The filters, as the query of the page’s address.'),
  ...dated,
})

export const savedViews = namedObject('SavedViewList', 'All views of a person.', {
  object: objectName('list'),
  data: listOf(savedView, 'The oldest first.'),
})

/** A view as its person sees it. */
export const savedViewView = (view: SavedView): Static<typeof savedView> => ({
  id: view.id,
  object: 'view',
  page: view.page,
  name: view.name,
  query: view.query,
  createdAt: isoInstant(view.createdAtMs),
  updatedAt: isoInstant(view.updatedAtMs),
})
