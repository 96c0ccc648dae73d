import type { InboxNoticeId } from '../../../engine/shared/ids.ts'
import { account, type newWorld } from '../world.ts'
import { aNotice, byBank } from './notices.ts'

/** A notice that is received and closed, and polls. */
export const everyInboxFact = async (world: ReturnType<typeof newWorld>): Promise<void> => {
  const target = { accountId: account, by: byBank } as const
  const notice = aNotice()
  await world.execute({ type: 'ReceiveNotice', ...target, ...notice })
  await world.execute({
    type: 'CloseNotice',
    ...target,
    closes: notice.inboxNoticeId as InboxNoticeId,
    outcome: 'TAKEN',
  })
  const { connectionId } = notice.notice
  for (const loop of ['RECEIVED', 'RETURNED'] as const)
    await world.execute({ type: 'AdvancePoll', ...target, connectionId, loop, cursor: `${loop} ção` })
}
