import { t } from '../core/language.ts'
import { useAction } from '../core/query.ts'
import { Trouble } from './basics.tsx'
import { TextButton } from './buttons.tsx'

const words = ['approve', 'reject'] as const

type DecideProps = {
  /** What it is about. */
  name: string
  isOwn: boolean
  act: (verdict: (typeof words)[number]) => Promise<unknown>
}

/** Decide has the buttons by which people decide what another person has asked for; of one's own there is only the way back. */
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
