import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { pathTo } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { Moment, Section } from '../../parts/basics.tsx'
import { Said } from './audit-sentence.tsx'
import { useAuditTexts } from './audit-texts.ts'

/** Who did what to an object, newest first, for those who may read the audit log. */
export const History = ({ id }: { id: string }) => (can('audit.read') ? <Acts of={id} /> : null)

const Acts = ({ of: objectId }: { of: string }) => {
  const { say } = useAuditTexts()
  const { data } = useGet('/v1/audit', { query: { objectId, pageSize: 25 } })
  if (say === null || !data || data.data.length === 0) return null
  const [about] = data.objects
  return (
    <Section
      title={t.common.history}
      actions={<a href={pathTo(`auditoria?objectId=${objectId}`)}>{t.common.seeAll}</a>}
    >
      <ol class="timeline">
        {data.data.map((entry) => (
          <li key={entry.id}>
            <Said of={entry} about={about} say={say} />
            <p class="hint">
              <Moment at={entry.at} style="exact" />
            </p>
          </li>
        ))}
      </ol>
    </Section>
  )
}
