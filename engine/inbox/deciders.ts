import type { Decider, Deciders } from '../kernel/decider.ts'
import type { Draft } from '../kernel/draft.ts'
import { bounds } from '../shared/bounds.ts'
import type { AdvancePoll, CloseNotice, InboxCommand, ReceiveNotice } from './commands.ts'
import { closedKey, openKey } from './inbox-notice.ts'
import { pollIdOf } from './poll.ts'

const receiveNotice: Decider<ReceiveNotice> = (draft, { accountId, inboxNoticeId: id, notice }) => {
  if (notice.packed.length > bounds.noticeBytesMax) return { reason: 'NOTICE_TOO_LARGE' }
  const { atMs } = draft.context
  if (draft.find('inboxNotice', id) !== undefined || isRepeated(draft, notice)) return null
  draft.add({
    actor: 'inboxNotice',
    type: 'NoticeReceived',
    id,
    atMs,
    notice: { accountId, ...notice },
  })
  return null
}

/** Whether the same is open, or was closed just before. */
const isRepeated = (draft: Draft, { connectionId, key }: ReceiveNotice['notice']): boolean => {
  const { atMs } = draft.context
  const found = (one: string) => draft.lookup('inboxNotice', one)
  if (found(openKey(connectionId, key)).length > 0) return true
  return [atMs, atMs - bounds.noticeRepeatedMs]
    .flatMap((around) => found(closedKey(connectionId, key, around)))
    .some(({ closed }) => closed !== null && closed.atMs > atMs - bounds.noticeRepeatedMs)
}

const closeNotice: Decider<CloseNotice> = (draft, { closes, outcome }) => {
  const state = draft.find('inboxNotice', closes)
  if (state === undefined) return { reason: 'NOT_FOUND', resource: 'inboxNotice' }
  if (state.closed === null)
    draft.add({
      actor: 'inboxNotice',
      type: 'NoticeClosed',
      id: closes,
      atMs: draft.context.atMs,
      outcome,
    })
  return null
}

const advancePoll: Decider<AdvancePoll> = (draft, { accountId, connectionId, loop, cursor }) => {
  const id = pollIdOf(connectionId)
  const known = draft.find('poll', id)
  if (known?.cursors[loop] === cursor) return null
  const { atMs } = draft.context
  const cursors = { ...known?.cursors, [loop]: cursor }
  const poll = { accountId, connectionId, cursors, createdAtMs: known?.createdAtMs ?? atMs }
  draft.add({ actor: 'poll', type: 'PollAdvanced', id, atMs, poll })
  return null
}

/** Deciders for what banks report unasked. */
export const inboxDeciders: Deciders<InboxCommand> = {
  ReceiveNotice: receiveNotice,
  CloseNotice: closeNotice,
  AdvancePoll: advancePoll,
}
