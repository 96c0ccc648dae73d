import type { Decider, Deciders } from '../kernel/decider.ts'
import type { Draft } from '../kernel/draft.ts'
import type { NoticeId } from '../shared/ids.ts'
import type {
  ChooseNoticeMail,
  NoticeCommand,
  RaiseNotice,
  ReadNotices,
  RecordNoticesMailed,
  RemindOfDefense,
} from './commands.ts'
import { type NoticeFact, noticeKind } from './notice.ts'
import { newNotice, raise } from './raise.ts'
import { isFor, readAtMsOf } from './reading.ts'

const raiseNotice: Decider<RaiseNotice> = (draft, { noticeId: id, notice }) => {
  if (draft.find('notice', id) === undefined) raise(draft, newNotice(draft, notice), id)
  return null
}

/** A chargeback that was answered meanwhile needs no reminder. */
const remindOfDefense: Decider<RemindOfDefense> = (draft, { noticeId: id }) => {
  const notice = draft.find('notice', id)
  if (notice === undefined || notice.remindAtMs === null) return null
  draft.add({ ...factAbout(draft, id), type: 'NoticeReminded' })
  const transaction = draft.find('transaction', notice.objectId ?? '')
  const chargebacks = transaction?.reversals.chargebacks ?? []
  const open = chargebacks.some(
    (chargeback) => chargeback.id === notice.details.chargebackId && chargeback.status === 'OPEN',
  )
  const { objectId, details } = notice
  if (open) raise(draft, newNotice(draft, { kind: 'DEFENSE_DUE', personId: null, objectId, details }))
  return null
}

const readNotices: Decider<ReadNotices> = (draft, { personId, noticeIds, kinds }) => {
  const { id: accountId, noticeReaders } = draft.account()
  const { atMs, nowMs } = draft.context
  if (noticeIds === null) {
    draft.add({ actor: 'account', type: 'NoticesRead', id: accountId, atMs: nowMs, personId, upToMs: atMs })
    return null
  }
  for (const id of noticeIds) {
    const notice = draft.find('notice', id)
    if (notice === undefined || !isFor(noticeKind.label!(notice)!, personId, kinds))
      return { reason: 'NOT_FOUND', resource: 'notice' }
    if (readAtMsOf(notice, personId, noticeReaders?.[personId]) === null)
      draft.add({ ...factAbout(draft, id), type: 'NoticeRead', personId })
  }
  return null
}

const chooseNoticeMail: Decider<ChooseNoticeMail> = (draft, { personId, mail: chosen }) => {
  const { id, noticeReaders } = draft.account()
  const mail = { ...noticeReaders?.[personId]?.mail, ...chosen }
  draft.add({ actor: 'account', type: 'NoticeMailChosen', id, atMs: draft.context.nowMs, personId, mail })
  return null
}

const recordNoticesMailed: Decider<RecordNoticesMailed> = (draft, { noticeIds }) => {
  for (const id of noticeIds)
    if (draft.find('notice', id)?.isMailed === false)
      draft.add({ ...factAbout(draft, id), type: 'NoticeMailed' })
  return null
}

/** Deciders for notices. */
export const noticeDeciders: Deciders<NoticeCommand> = {
  RaiseNotice: raiseNotice,
  RemindOfDefense: remindOfDefense,
  ReadNotices: readNotices,
  ChooseNoticeMail: chooseNoticeMail,
  RecordNoticesMailed: recordNoticesMailed,
}

const factAbout = ({ context }: Draft, id: NoticeId): Pick<NoticeFact, 'actor' | 'id' | 'atMs'> => ({
  actor: 'notice',
  id,
  atMs: context.atMs,
})
