import type { Decider, Deciders } from '../kernel/decider.ts'
import type { Answerers } from '../kernel/reader.ts'
import { bounds } from '../shared/bounds.ts'
import { unlessRemoved } from '../shared/unless-removed.ts'
import { isNamed, type ListViews, type RemoveView, type SaveView } from './view.ts'

const saveView: Decider<SaveView> = (draft, { viewId, view }) => {
  const own = draft.lookup('view', view.personId)
  const found = own.find(isNamed(view))
  const { atMs } = draft.context
  if (found !== undefined) {
    if (found.query !== view.query)
      draft.add({ actor: 'view', type: 'ViewChanged', id: found.id, atMs, query: view.query })
    return null
  }
  if (own.length >= bounds.viewsMax) return { reason: 'TOO_MANY_VIEWS', viewsMax: bounds.viewsMax }
  const accountId = draft.account().id
  draft.add({ actor: 'view', type: 'ViewSaved', id: viewId, atMs, view: { accountId, ...view } })
  return null
}

const removeView: Decider<RemoveView> = (draft, { viewId: id, personId }) => {
  const view = unlessRemoved(draft.find('view', id))
  if (view?.personId !== personId) return { reason: 'NOT_FOUND', resource: 'view' }
  draft.add({ actor: 'view', type: 'ViewRemoved', id, atMs: draft.context.atMs })
  return null
}

/** Deciders for saved views. */
export const viewDeciders: Deciders<SaveView | RemoveView> = { SaveView: saveView, RemoveView: removeView }

/** A person has few views, so all are read. */
export const viewAnswers: Answerers<ListViews> = {
  ListViews: ({ accountId, personId }, { memory, result }) =>
    result(memory.lookup('view', accountId, personId).map(({ state }) => state)),
}
