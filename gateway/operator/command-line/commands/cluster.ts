import { type Command, InvalidArgumentError, Option } from 'commander'
import { type ClusterChange, removeNode } from '../cluster/remove.ts'
import { rollingRestart } from '../cluster/rolling-restart.ts'
import type { ClusterStep, ClusterTools } from '../cluster/steps.ts'
import { type CommandContext, callsOperation } from '../command.ts'
import { print } from '../output/print.ts'
import { openProgressLine } from '../output/progress-line.ts'

/** `payments cluster …`. */
export const addClusterCommands = (program: Command, context: CommandContext): void => {
  const cluster = program.command('cluster').description('the nodes of a cluster and their shards')
  cluster
    .command('status')
    .description('how the nodes are, who owns each shard, and how far the others are behind')
    .action(callsOperation(context))
  cluster
    .command('drain')
    .argument('<node>', 'node id')
    .description('hand all shards of a node to others; it takes none until it starts again')
    .action(callsOperation(context))
  cluster
    .command('move')
    .argument('<shard>', 'number of the shard')
    .argument('<node>', 'node id, or auto: wherever the cluster thinks best')
    .description('give a shard to a node, and leave it there')
    .action(callsOperation(context))
  cluster
    .command('finalize')
    .option('--dry-run', 'say what it would do, and do nothing')
    .description('finish an upgrade: nodes write what only the new build reads, and there is no way back')
    .action(callsOperation(context))
  cluster
    .command('remove')
    .argument('<node>', 'node id')
    .addOption(waitOption())
    .option('--dry-run', dryRun)
    .description('take a node out for good: it hands its shards over, ends, and does not start again')
    .action(async (node: string, options: ChangeOptions) =>
      change(context, options, (tools, onPlan) => removeNode(tools, node, options.dryRun === true, onPlan)),
    )
  cluster
    .command('rolling-restart')
    .argument('[nodes...]', 'node ids; all by default')
    .addOption(waitOption())
    .option('--dry-run', dryRun)
    .description('have one node after the other hand its shards over, end, and be started by what watches it')
    .action(async (nodes: readonly string[], options: ChangeOptions) =>
      change(context, options, (tools, onPlan) =>
        rollingRestart(tools, nodes, options.dryRun === true, onPlan),
      ),
    )
}

type ChangeOptions = { readonly wait: number; readonly dryRun?: boolean }

const dryRun = 'say what it would do, and do nothing'

const waitOption = (): Option =>
  new Option('--wait <seconds>', 'how long each step may take before it stops')
    .default(300)
    .argParser((text) => {
      if (!/^[1-9][0-9]{0,4}$/.test(text)) throw new InvalidArgumentError('a whole number from 1')
      return Number(text)
    })

/** Makes a change in steps: says them first, shows how far it is, and prints what came of it. */
const change = async (
  { service, isJson }: CommandContext,
  { wait }: ChangeOptions,
  make: (tools: ClusterTools, onPlan: (steps: readonly string[]) => void) => Promise<ClusterChange>,
): Promise<void> => {
  const line = openProgressLine(!isJson())
  let shown = ''
  const report = (step: ClusterStep): void => {
    const text = isJson() ? JSON.stringify(step) : stepText(step)
    if (text === shown) return
    if (!isJson() && step.state === 'WAITING') {
      line.show(text)
      return
    }
    shown = text
    line.end()
    console.log(text)
  }
  const onPlan = (steps: readonly string[]): void => {
    if (!isJson()) for (const [n, step] of steps.entries()) console.log(`${n + 1}. ${step}`)
  }
  const tools: ClusterTools = {
    ask: service.ask,
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    stopwatch: () => performance.now(),
    stepMs: wait * 1000,
    report,
  }
  const { steps, ...made } = await make(tools, onPlan).finally(line.end)
  print(isJson() ? { ...made, steps } : made, isJson())
}

const stepText = ({ node, step, state, waitsFor }: ClusterStep): string =>
  state === 'DONE' ? `node ${node}: ${stepsDone[step]}` : `node ${node}: ${waitsFor.join('; ')}`

const stepsDone: Readonly<Record<ClusterStep['step'], string>> = {
  SETTLE: 'the cluster is well',
  DRAIN: 'has handed its shards over',
  END: 'has ended',
  RETURN: 'is back',
  FORGET: 'is removed',
}
