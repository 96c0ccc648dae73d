import type { Schemas } from '../core/api.ts'
import { t } from '../core/language.ts'
import { namesFreshForMs, useGet } from '../core/query.ts'
import { pathTo } from '../core/router.ts'
import { can, sessionStore } from '../core/session.ts'
import { LinkButton } from './basics.tsx'

const names = { freshForMs: namesFreshForMs }

/** A person of the company by name; one who is not in the team any more has none. */
export const PersonName = ({ id }: { id: string }) => {
  const me = sessionStore.get()?.person
  const team = useGet(can('team.read') && id !== me?.id ? '/v1/team' : null, names).data
  const name = id === me?.id ? me.name : team?.members.find(({ personId }) => personId === id)?.name
  // The team says who has left, once it is read.
  if (name === undefined) return <>{team === null ? t.actor.PERSON : t.formerPerson}</>
  return <a href={pathTo('equipe')}>{name}</a>
}

/** An API key by its name, where the reader may know it. */
const KeyName = ({ id }: { id: string }) => {
  const keys = useGet(can('keys.read') ? '/v1/keys' : null, names).data
  const name = keys?.data.find((key) => key.id === id)?.name
  return name === undefined ? t.actor.KEY : <a href={pathTo('chaves')}>{t.keyNamed(name)}</a>
}

/** Who caused a step. */
export const Actor = ({ of: { kind, id } }: { of: Schemas['TimelineStep']['actor'] }) => {
  if (kind === 'PERSON' && id !== null) return <PersonName id={id} />
  if (kind === 'KEY' && id !== null) return <KeyName id={id} />
  return <>{t.actor[kind]}</>
}

/** The way to what the audit log has about an object, for those who may read it. */
export const HistoryButton = ({ id }: { id: string }) =>
  can('audit.read') && (
    <LinkButton icon="shield" href={pathTo(`auditoria?objectId=${id}`)} text={t.common.whoChanged} />
  )
