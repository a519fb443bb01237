/**
 * Prices and windows of models, reduced from `@pydantic/genai-prices`: vendor, model, longest prompt, prices, other names.
 * Prices are US dollars per million tokens: input, cached read, cache write for five minutes, for an hour, output; `-`
 * where the vendor has none. `>n`: for prompts of more than n tokens. `@date`: from that day on. `name*`: names that
 * start so. Written by `npx vitest run test/economics/price-table.test.ts -u`.
 * Source: https://github.com/pydantic/genai-prices, version 0.1.8.
 */
export const PRICE_TABLE = `
anthropic | claude-2 | 200000 | 8 - - - 24 | claude-2*
anthropic | claude-3-5-haiku-latest | 200000 | 0.8 0.08 1 1.6 4 | claude-3-5-haiku* claude-3.5-haiku*
anthropic | claude-3-5-sonnet | 200000 | 3 0.3 3.75 6 15 | claude-3-5-sonnet* claude-3.5-sonnet*
anthropic | claude-3-7-sonnet-latest | 200000 | 3 0.3 3.75 6 15 | claude-3-7-sonnet* claude-3.7-sonnet* claude-sonnet-3.7* claude-sonnet-3-7*
anthropic | claude-3-haiku | 200000 | 0.25 0.03 0.3 0.5 1.25 | claude-3-haiku*
anthropic | claude-3-opus-latest | 200000 | 15 1.5 18.75 30 75 | claude-3-opus*
anthropic | claude-3-sonnet | 200000 | 3 0.3 3.75 6 15 | claude-3-sonnet*
anthropic | claude-fable-5 | 1000000 | 10 1 12.5 20 50 |
anthropic | claude-fable-5-1 | 1000000 | 10 0.25 12.5 20 50 |
anthropic | claude-haiku-4-5 | 200000 | 1 0.1 1.25 2 5 | claude-haiku-4-5* claude-haiku-4.5* claude-4-5-haiku* claude-4.5-haiku*
anthropic | claude-opus-4-0 | 200000 | 15 1.5 18.75 30 75 | claude-opus-4-0* claude-4-opus* claude-opus-4 claude-opus-4-20250514
anthropic | claude-opus-4-1 | 200000 | 15 1.5 18.75 30 75 | claude-opus-4-1* claude-opus-4.1*
anthropic | claude-opus-4-5 | 200000 | 5 0.5 6.25 10 25 | claude-opus-4-5* claude-opus-4.5* claude-4-5-opus* claude-4.5-opus*
anthropic | claude-opus-4-6 | 1000000 | 5 0.5 6.25 10 25; >200000 10 1 12.5 20 37.5; @2026-03-13 5 0.5 6.25 10 25 | claude-opus-4-6* claude-opus-4.6* claude-4-6-opus* claude-4.6-opus*
anthropic | claude-opus-4-7 | 1000000 | 5 0.5 6.25 10 25 | claude-opus-4-7* claude-opus-4.7* claude-4-7-opus* claude-4.7-opus*
anthropic | claude-opus-4-8 | 1000000 | 5 0.5 6.25 10 25 | claude-opus-4-8* claude-opus-4.8* claude-4-8-opus* claude-4.8-opus*
anthropic | claude-opus-5 | 1000000 | 5 0.5 6.25 10 25 | claude-opus-5.0* claude-5-opus* claude-5.0-opus*
anthropic | claude-opus-5-5 | 1000000 | 4 0.2 5 8 20 | claude-opus-5.5* claude-5-5-opus* claude-5.5-opus*
anthropic | claude-sonnet-4-0 | 200000 | 3 0.3 3.75 6 15 | claude-sonnet-4-2025* claude-sonnet-4-0* claude-sonnet-4@* claude-sonnet-4 claude-4-sonnet*
anthropic | claude-sonnet-4-5 | 200000 | 3 0.3 3.75 6 15; >200000 6 0.6 7.5 12 22.5 | claude-sonnet-4-5* claude-sonnet-4.5*
anthropic | claude-sonnet-4-6 | 1000000 | 3 0.3 3.75 6 15; >200000 6 0.6 7.5 12 22.5; @2026-03-13 3 0.3 3.75 6 15 | claude-sonnet-4-6* claude-sonnet-4.6*
anthropic | claude-sonnet-5 | 1000000 | 2 0.2 2.5 4 10 | claude-sonnet-5* claude-sonnet-5.0* claude-5-sonnet* claude-5.0-sonnet*
openai | chatgpt-4o-latest | 128000 | 5 - - - 15 |
openai | codex-mini | 200000 | 1.5 0.375 - - 6 | codex-mini-latest
openai | gpt-3.5-0301 | - | 1.5 - - - 2 | gpt-3.5-turbo-0301
openai | gpt-3.5-turbo | 16385 | 0.5 - - - 1.5 | gpt-35-turbo gpt-3.5-turbo-0125
openai | gpt-3.5-turbo-0613 | 16385 | 1.5 - - - 2 |
openai | gpt-3.5-turbo-1106 | 16385 | 1 - - - 2 |
openai | gpt-3.5-turbo-16k | 16385 | 3 - - - 4 | gpt-3.5-turbo-16k-0613 gpt-35-turbo-16k-0613 gpt-35-turbo-16k
openai | gpt-4 | 8192 | 30 - - - 60 | gpt-4-0314 gpt-4-0613 ft:gpt-4-0*
openai | gpt-4-32k | 32000 | 60 - - - 120 | gpt-4-32k-0314 gpt-4-32k-0613
openai | gpt-4-turbo | 128000 | 10 - - - 30 | gpt-4-turbo-2024-04-09 gpt-4-turbo-0125-preview gpt-4-0125-preview gpt-4-1106-preview gpt-4-turbo-preview
openai | gpt-4.1 | 1000000 | 2 0.5 - - 8 | gpt-4.1-2025-04-14
openai | gpt-4.1-mini | 1000000 | 0.4 0.1 - - 1.6 | gpt-4.1-mini-2025-04-14
openai | gpt-4.1-nano | 1000000 | 0.1 0.025 - - 0.4 | gpt-4.1-nano-2025-04-14
openai | gpt-4.5-preview | - | 75 37.5 - - 150 | gpt-4.5-preview*
openai | gpt-4o | 128000 | 2.5 1.25 - - 10 | gpt-4o-2024-08-06 gpt-4o-2024-11-20
openai | gpt-4o-2024-05-13 | 128000 | 5 - - - 15 |
openai | gpt-4o-mini | 128000 | 0.15 0.075 - - 0.6 | gpt-4o-mini-2024-07-18 gpt-4o-mini-search-preview gpt-4o-mini-search-preview-2025-03-11
openai | gpt-5 | 400000 | 1.25 0.125 - - 10 | gpt-5-2025-08-07 gpt-5-chat gpt-5-chat-latest gpt-5-codex
openai | gpt-5-mini | 400000 | 0.25 0.025 - - 2 | gpt-5-mini-2025-08-07
openai | gpt-5-nano | 400000 | 0.05 0.005 - - 0.4 | gpt-5-nano-*
openai | gpt-5-pro | 400000 | 15 - - - 120 | gpt-5-pro-2025-10-06
openai | gpt-5.1 | 400000 | 1.25 0.125 - - 10 | gpt-5.1-2025-11-13 gpt-5.1-codex gpt-5.1-codex-max gpt-5.1-chat gpt-5.1-chat-latest gpt-5-1 gpt-5-1-2025-11-13 gpt-5-1-codex gpt-5-1-codex-max gpt-5-1-chat gpt-5-1-chat-latest
openai | gpt-5.1-codex-mini | 400000 | 0.25 0.025 - - 2 | gpt-5.1-mini gpt-5-1-codex-mini gpt-5-1-mini
openai | gpt-5.2 | 400000 | 1.75 0.175 - - 14 | gpt-5.2-2025-12-11 gpt-5-2 gpt-5-2-2025-12-11 gpt-5.2-chat gpt-5.2-chat-latest gpt-5-2-chat gpt-5-2-chat-latest gpt-5.2-codex gpt-5-2-codex
openai | gpt-5.2-pro | 400000 | 21 - - - 168 | gpt-5.2-pro-2025-12-11 gpt-5-2-pro-2025-12-11
openai | gpt-5.3 | 128000 | 1.75 0.175 - - 14 | gpt-5-3 gpt-5.3-chat gpt-5.3-chat-latest gpt-5-3-chat gpt-5-3-chat-latest
openai | gpt-5.3-codex | 400000 | 1.75 0.175 - - 14 | gpt-5-3-codex
openai | gpt-5.4 | 1050000 | 2.5 0.25 - - 15; >271999 5 0.5 - - 22.5 | gpt-5.4-2026-03-05 gpt-5-4 gpt-5-4-2026-03-05
openai | gpt-5.4-mini | 400000 | 0.75 0.075 - - 4.5 | gpt-5.4-mini-2026-03-17 gpt-5-4-mini gpt-5-4-mini-2026-03-17
openai | gpt-5.4-nano | 400000 | 0.2 0.02 - - 1.25 | gpt-5.4-nano-2026-03-17 gpt-5-4-nano gpt-5-4-nano-2026-03-17
openai | gpt-5.4-pro | 1050000 | 30 - - - 180; >271999 60 - - - 270 | gpt-5.4-pro-2026-03-05 gpt-5-4-pro gpt-5-4-pro-2026-03-05
openai | gpt-5.5 | 1000000 | 5 0.5 - - 30; >271999 10 1 - - 45 | gpt-5.5-2026-04-23 gpt-5.5-2026-04-24 gpt-5-5 gpt-5-5-2026-04-23 gpt-5-5-2026-04-24 gpt-5.5-chat gpt-5.5-chat-latest gpt-5-5-chat gpt-5-5-chat-latest gpt-5.5-codex gpt-5-5-codex
openai | gpt-5.5-pro | 1000000 | 30 - - - 180; >271999 60 - - - 270 | gpt-5.5-pro-2026-04-23 gpt-5-5-pro gpt-5-5-pro-2026-04-23
openai | gpt-5.6-luna | 1050000 | 1 0.1 1.25 - 6; >271999 2 0.2 2.5 - 9; @2026-07-30 0.2 0.02 0.25 - 1.2; >271999 0.4 0.04 0.5 - 1.8 | gpt-5-6-luna
openai | gpt-5.6-sol | 1050000 | 5 0.5 6.25 - 30; >271999 10 1 12.5 - 45; @2026-08-21 4 0.4 5 - 20; >271999 8 0.8 10 - 30 | gpt-5-6-sol gpt-5.6 gpt-5-6
openai | gpt-5.6-terra | 1050000 | 2.5 0.25 3.125 - 15; >271999 5 0.5 6.25 - 22.5; @2026-07-30 2 0.2 2.5 - 12; >271999 4 0.4 5 - 18 | gpt-5-6-terra
openai | gpt-6-astra | 1050000 | 10 1 12.5 - 50; >271999 20 2 25 - 75 |
openai | gpt-6-luna | 1050000 | 0.1 0.01 0.125 - 0.5; >272000 0.2 0.02 0.25 - 0.75 |
openai | gpt-6-sol | 1050000 | 2 0.2 2.5 - 10; >272000 4 0.4 5 - 15 |
openai | gpt-chat-latest | - | 5 0.5 - - 30 |
openai | gpt-oss-120b | 131072 | 0.039 - - - 0.18 |
openai | gpt-oss-20b | 131072 | 0.029 - - - 0.14 |
openai | gpt-oss-safeguard-20b | 131072 | 0.075 0.037 - - 0.3 |
openai | o1 | 200000 | 15 7.5 - - 60 | o1-2024-12-17
openai | o1-mini | 128000 | 1.1 0.55 - - 4.4 | o1-mini-2024-09-12
openai | o1-preview | 128000 | 15 7.5 - - 60 | o1-preview-2024-09-12
openai | o1-pro | 200000 | 150 - - - 600 | o1-pro-2025-03-19
openai | o3 | 200000 | 10 0.5 - - 40; @2025-06-10 2 0.5 - - 8 | o3-2025-04-16
openai | o3-mini | 200000 | 1.1 0.55 - - 4.4 | o3-mini-2025-01-31 o3-mini-high
openai | o3-pro | 200000 | 20 - - - 80 | o3-pro-2025-06-10
openai | o4-mini | 200000 | 1.1 0.275 - - 4.4 | o4-mini-2025-04-16 o4-mini-high
google | gemini-1.5-flash | 1000000 | 0.075 0.01875 - - 0.3; >128000 0.15 0.0375 - - 0.6 |
google | gemini-1.5-pro | 1000000 | 1.25 - - - 5; >128000 2.5 - - - 10 |
google | gemini-2.0-flash | 1000000 | 0.1 0.025 - - 0.4 |
google | gemini-2.0-flash-lite | 1000000 | 0.075 - - - 0.3 |
google | gemini-2.5-flash | 1048576 | 0.3 0.03 - - 2.5 | gemini-2.5-flash-latest gemini-2.5-flash-preview-09-2025
google | gemini-2.5-flash-lite | 1000000 | 0.1 0.01 - - 0.4 | gemini-2.5-flash-lite-preview*
google | gemini-2.5-flash-preview | - | 0.15 - - - 0.6 | gemini-2.5-flash-preview-05-20:thinking gemini-2.5-flash-preview:thinking
google | gemini-2.5-pro | - | 1.25 0.125 - - 10; >200000 2.5 0.25 - - 15 | gemini-2.5-pro*
google | gemini-3-flash-preview | 1000000 | 0.5 0.05 - - 3 | gemini-3-flash-preview-*
google | gemini-3-pro-preview | - | 2 0.2 - - 12; >200000 4 0.4 - - 18 | gemini-3-pro-preview* gemini-3-pro-text-preview
google | gemini-3.1-flash-lite | 1000000 | 0.25 0.025 - - 1.5 | gemini-3.1-flash-lite-preview*
google | gemini-3.1-pro-preview | - | 2 0.2 - - 12; >200000 4 0.4 - - 18 | gemini-3.1-pro-preview*
google | gemini-3.5-flash | 1000000 | 1.5 0.15 - - 9 | gemini-3.5-flash-preview*
google | gemini-3.5-flash-lite | 1000000 | 0.3 0.03 - - 2.5 | gemini-3.5-flash-lite*
google | gemini-3.6-flash | 1000000 | 0.75 0.075 - - 3.75; @2027-01-01 1.5 0.15 - - 7.5 | gemini-3.6-flash*
google | gemini-3.7-flash | 1000000 | 0.75 0.075 - - 3.75; @2027-01-01 1.5 0.15 - - 7.5 | gemini-3.7-flash*
google | gemini-3.8-flash | 1000000 | 0.75 0.075 - - 3.75; @2027-01-01 1.5 0.15 - - 7.5 | gemini-3.8-flash*
google | gemini-flash-1.5 | - | 0.075 0.01875 - - 0.3; >128000 0.15 0.0375 - - 0.6 |
google | gemini-flash-1.5-8b | 1000000 | 0.0375 0.01 - - 0.15; >128000 0.075 0.02 - - 0.3 |
google | gemini-pro | 32768 | 0.125 - - - 0.375 | gemini-1.0-pro
google | gemini-pro-1.5 | 2000000 | 1.25 0.3125 - - 5; >128000 2.5 0.625 - - 10 |
deepseek | deepseek-chat | 64000 | 0.135 0.035 - - 0.55 | deepseek-chat* deepseek-chat-v3-0324
deepseek | deepseek-reasoner | 64000 | 0.135 0.035 - - 0.55 | deepseek-r1* deepseek-r1-0528
deepseek | deepseek-v3.1-terminus | 128000 | 0.27 0.13 - - 0.95 |
deepseek | deepseek-v3.2 | 128000 | 0.2288 - - - 0.3432 |
deepseek | deepseek-v3.2-exp | 128000 | 0.27 - - - 0.41 |
deepseek | deepseek-v4-flash | 1000000 | 0.14 0.0028 - - 0.28; @2026-08-17 0.22 0.007 - - 0.66 | deepseek-v4-flash*
deepseek | deepseek-v4-pro | 1000000 | 0.435 0.003625 - - 0.87; @2026-08-17 0.66 0.022 - - 1.98 | deepseek-v4-pro*
x-ai | grok-2-1212 | 32768 | 2 - - - 10 | grok-2 grok-2-latest
x-ai | grok-3 | 131072 | 3 0.75 - - 15 | grok-3-latest grok-3-beta
x-ai | grok-3-fast | 131072 | 5 1.25 - - 25 | grok-3-fast-latest grok-3-fast-beta
x-ai | grok-3-mini | 131072 | 0.3 0.075 - - 0.5 | grok-3-mini-beta grok-3-mini-latest
x-ai | grok-3-mini-fast | 131072 | 0.6 0.15 - - 4 | grok-3-mini-fast-beta grok-3-mini-fast-latest
x-ai | grok-4-0709 | 256000 | 3 0.75 - - 15 | grok-4 grok-4-latest
x-ai | grok-4-1-fast-non-reasoning | 2000000 | 0.2 0.05 - - 0.5 | grok-4-1-fast-non-reasoning-latest
x-ai | grok-4-1-fast-reasoning | 2000000 | 0.2 0.05 - - 0.5 | grok-4-1-fast grok-4-1-fast-reasoning-latest
x-ai | grok-4-fast-non-reasoning | 2000000 | 0.2 0.05 - - 0.5 | grok-4-fast-non-reasoning-latest
x-ai | grok-4-fast-reasoning | 2000000 | 0.2 0.05 - - 0.5 | grok-4-fast grok-4-fast-reasoning-latest
x-ai | grok-4.20 | 1000000 | 1.25 0.2 - - 2.5; >199999 2.5 0.4 - - 5 |
x-ai | grok-4.3 | 1000000 | 1.25 0.2 - - 2.5; >199999 2.5 0.4 - - 5 | x-ai/grok-4.3 grok-4.3-latest
x-ai | grok-4.5 | 500000 | 2 0.3 - - 6; >199999 4 0.6 - - 12 | x-ai/grok-4.5 grok-4.5-latest grok-latest
x-ai | grok-4.6 | 500000 | 2 0.5 - - 6; >199999 4 1 - - 12 | x-ai/grok-4.6 grok-4.6-latest
x-ai | grok-build-0.1 | 256000 | 1 0.2 - - 2; >199999 2 0.4 - - 4 |
x-ai | grok-code-fast-1 | 256000 | 0.2 0.02 - - 1.5 | grok-code-fast grok-code-fast-1-0825
moonshotai | kimi-k2 | - | 0.57 - - - 2.3 |
moonshotai | kimi-k2-0711-preview | 131072 | 0.6 0.15 - - 2.5 |
moonshotai | kimi-k2-0905-preview | 262144 | 0.6 0.15 - - 2.5 |
moonshotai | kimi-k2-thinking | 262144 | 0.6 0.15 - - 2.5 |
moonshotai | kimi-k2-thinking-turbo | 262144 | 1.15 0.15 - - 8 |
moonshotai | kimi-k2-turbo-preview | 262144 | 1.15 0.15 - - 8 | kimi-k2-turbo*
moonshotai | kimi-k2.5 | 262144 | 0.6 0.1 - - 3 | kimi-k2.5*
moonshotai | kimi-k2.6 | 262144 | 0.95 0.16 - - 4 | kimi-k2.6*
moonshotai | kimi-k2.7-code | 262144 | 0.95 0.19 - - 4 |
moonshotai | kimi-k2.7-code-highspeed | 262144 | 1.9 0.38 - - 8 |
moonshotai | kimi-k3 | 1048576 | 3 0.3 - - 15 |
moonshotai | moonshot-v1-128k | 131072 | 2 - - - 5 | moonshot-v1-128k-vision-preview
moonshotai | moonshot-v1-32k | 32768 | 1 - - - 3 | moonshot-v1-32k-vision-preview
moonshotai | moonshot-v1-8k | 8192 | 0.2 - - - 2 | moonshot-v1-8k-vision-preview
zai | GLM-5.2 | 1000000 | 1.4 0.26 - - 4.4 | glm-5.2
zai | GLM-5.3 | 1000000 | 1.4 0.26 - - 4.4 | glm-5.3
zai | GLM-5.3-Flash | 1000000 | 0.075 0.015 - - 0.25 | glm-5.3-flash
minimax | M2-her | 64000 | 0.3 - - - 1.2 | m2-her
minimax | MiniMax-M2 | 204800 | 0.3 0.03 0.375 - 1.2 | minimax-m2 MiniMax-M2.1 minimax-m2.1 MiniMax-M2.5 minimax-m2.5
minimax | MiniMax-M2.1-highspeed | 204800 | 0.6 0.03 0.375 - 2.4 |
minimax | MiniMax-M2.5-highspeed | 204800 | 0.6 0.03 0.375 - 2.4 |
minimax | MiniMax-M2.7 | 204800 | 0.3 0.06 0.375 - 1.2 | minimax-m2.7
minimax | MiniMax-M2.7-highspeed | 204800 | 0.6 0.06 0.375 - 2.4 |
minimax | minimax-01 | 1000192 | 0.2 - - - 1.1 |
minimax | minimax-m1 | - | 0.4 - - - 2.2 |
minimax | minimax-m3 | 1000000 | 0.3 0.06 - - 1.2; >512000 0.6 0.12 - - 2.4 |
`;
