import { t } from '../core/language.ts'
import { useAction } from '../core/query.ts'
import { Trouble } from './basics.tsx'
import { TextButton } from './buttons.tsx'

const words = ['approve', 'reject'] as const

type DecideProps = {
  /** The subject of the decision, for screen readers. */
  name: string
  isOwn: boolean
  act: (verdict: (typeof words)[number]) => Promise<unknown>
}

/** The buttons to approve or reject another person's request; one's own can only be rejected. */
export const Decide = ({ name, isOwn, act }: DecideProps) => {
  const { run, isBusy, problem } = useAction(act)
  return (
    <>
      {words
        .filter((verdict) => verdict === 'reject' || !isOwn)
        .map((verdict) => (
          <TextButton
            key={verdict}
            text={t.decide[verdict]}
            name={`${t.decide[verdict]}: ${name}`}
            aria-busy={isBusy}
            onClick={() => run(verdict)}
          />
        ))}
      <Trouble of={problem} />
    </>
  )
}
