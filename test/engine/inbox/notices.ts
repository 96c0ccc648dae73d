import type { ReceiveNotice } from '../../../engine/inbox/commands.ts'
import type { ConnectionId, InboxNoticeId } from '../../../engine/shared/ids.ts'
import type { Initiator } from '../../../engine/shared/initiator.ts'

export const aConnectionId = `con_${'0'.repeat(25)}1` as ConnectionId
export const otherConnectionId = `con_${'0'.repeat(25)}2` as ConnectionId
export const byBank: Initiator = { kind: 'PROVIDER', id: null }

let made = 0

/** What a bank sent, with an id of its own. */
export const aNotice = (
  changed: Partial<ReceiveNotice['notice']> = {},
): Pick<ReceiveNotice, 'inboxNoticeId' | 'notice'> => ({
  inboxNoticeId: `ibn_${String(++made).padStart(26, '0')}` as InboxNoticeId,
  notice: {
    connectionId: aConnectionId,
    key: 'hash of the body',
    source: 'HOOK',
    path: '/pix',
    headers: { 'content-type': 'application/json' },
    packed: new Uint8Array([1, 0, 255]),
    ...changed,
  },
})
