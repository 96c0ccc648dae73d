import { useEffect, useState } from 'preact/hooks'
import { problemOfError } from '../../core/api.ts'
import { language } from '../../core/language.ts'
import type { ApiProblem } from '../../core/problem.ts'
import type { AuditTexts } from '../../texts/audit-pt.ts'

/** The sentences of the audit log, which are loaded where one of its entries is shown. */
export const useAuditTexts = () => {
  const [say, setSay] = useState<AuditTexts | null>(null)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const refresh = (): void => void auditTexts().then(setSay, (error) => setProblem(problemOfError(error)))
  useEffect(refresh, [])
  return { say, problem, refresh }
}

const auditTexts = async (): Promise<AuditTexts> =>
  language() === 'en'
    ? (await import('../../texts/audit-en.ts')).auditEn
    : (await import('../../texts/audit-pt.ts')).auditPt
