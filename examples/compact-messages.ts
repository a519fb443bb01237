import { compactMessages, type Message } from 'high-density/compact';

const messages: Message[] = [{ role: 'system', content: 'You are a careful agent.' }];
for (let turn = 1; turn <= 50; turn++) {
  messages.push({ role: 'user', content: `Question ${turn}: ${'why? '.repeat(40)}` });
  messages.push({ role: 'assistant', content: `Answer ${turn}.` });
}

const { compacted, stats } = await compactMessages(messages, {
  contextTokenLimit: 2000, // your model's window; small here, so that the list is over the threshold
  outputDir: process.env['COMPACT_OUTPUT_DIR'] ?? '.compact', // the original messages are kept here
  // Without a client of your own, ANTHROPIC_API_KEY is used.
  llmClient: {
    countTokens: (list) => Math.ceil(JSON.stringify(list).length / 4),
    summarize: async () => 'The user asked fifty times why, and got fifty answers.',
  },
});
console.log({ compacted, stats });
