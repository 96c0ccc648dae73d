import type { Session, SessionFact, Sessions } from '../../../engine/people/session.ts'
import type { PersonId, SessionId } from '../../../engine/shared/ids.ts'

/**
 * The facts that end what depends on a person's credentials (dashboard, section 1.2): sessions, except one that is
 * kept, links by mail, challenges, and an authenticator app that is being added. The next generation of the
 * credentials voids sessions and links by itself, so that a crash before these facts leaves nothing that works.
 */
export const voided = (
  { byId, links, challenges }: Sessions,
  personId: PersonId,
  keptId: SessionId | null,
): readonly SessionFact[] => {
  const own = [...byId.values()].filter((session) => session.personId === personId)
  const ids = own.flatMap(({ id }) => (id === keptId ? [] : [id]))
  return [
    ...(ids.length === 0 ? [] : [{ type: 'SessionsEnded', ids } as const]),
    ...own.flatMap((session) => (session.id === keptId ? withoutPendingTotp(session) : [])),
    ...[...links.values()].flatMap(({ personId: of, tokenHash }) =>
      of === personId ? [{ type: 'LinkUsed', tokenHash } as const] : [],
    ),
    ...[...challenges].flatMap(([challenge, { personId: of }]) =>
      of === personId ? [{ type: 'ChallengeSpent', challenge } as const] : [],
    ),
  ]
}

const withoutPendingTotp = ({ id, sealedPendingTotp }: Session): readonly SessionFact[] =>
  sealedPendingTotp === null
    ? []
    : [{ type: 'SessionChanged', id, changes: { sealedPendingTotp: null, pendingTotpStep: 0 } }]
