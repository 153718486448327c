/* The functions of libvosk that the service uses, with a model that hears tones instead of speech: a word for every sound of
 * 100 ms. A folder whose name ends with "broken" holds no model; one that ends with "deaf" refuses the audio. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const WORDS[] = {"yes", "no", "maybe"};
typedef struct { int isDeaf; } Model;
typedef struct { Model *model; int words, loud, quiet, heard, starts[64]; char text[8192]; } Recogniser;

static int endsWith(const char *text, const char *end) {
  size_t a = strlen(text), b = strlen(end);
  return a >= b && strcmp(text + a - b, end) == 0;
}
void vosk_set_log_level(int level) { (void)level; }
void *vosk_model_new(const char *folder) {
  if (endsWith(folder, "broken")) return NULL;
  Model *model = calloc(1, sizeof *model);
  model->isDeaf = endsWith(folder, "deaf");
  return model;
}
void *vosk_recognizer_new(void *model, float rate) {
  if (rate != 16000.0f) return NULL;
  Recogniser *one = calloc(1, sizeof *one);
  one->model = model;
  return one;
}
void vosk_recognizer_set_words(void *one, int on) { (void)one; (void)on; }
int vosk_recognizer_accept_waveform_s(void *recogniser, const int16_t *samples, int count) {
  Recogniser *one = recogniser;
  if (one->model->isDeaf) return -1;
  for (int i = 0; i < count; i++, one->heard++) {
    int isLoud = abs(samples[i]) > 600;
    one->quiet = isLoud ? 0 : one->quiet + 1;
    one->loud = one->quiet > 800 ? 0 : one->loud + 1;
    if (one->loud == 1600 && one->words < 64) one->starts[one->words++] = one->heard - 1600;
  }
  return 0;
}
static const char *written(Recogniser *one, const char *name) {
  char *end = one->text;
  end += sprintf(end, "{\"%s\":\"", name);
  for (int i = 0; i < one->words; i++) end += sprintf(end, "%s%s", i ? " " : "", WORDS[i % 3]);
  end += sprintf(end, "\",\"result\":[");
  for (int i = 0; i < one->words; i++) {
    double start = one->starts[i] / 16000.0;
    end += sprintf(end, "%s{\"word\":\"%s\",\"conf\":0.9,\"start\":%.3f,\"end\":%.3f}", i ? "," : "", WORDS[i % 3], start, start + 0.1);
  }
  sprintf(end, "]}");
  return one->text;
}
const char *vosk_recognizer_partial_result(void *one) { return written(one, "partial"); }
const char *vosk_recognizer_result(void *one) { return vosk_recognizer_partial_result(one); }
const char *vosk_recognizer_final_result(void *recogniser) {
  Recogniser *one = recogniser;
  const char *text = written(one, "text");
  one->words = one->loud = 0;
  return text;
}
void vosk_recognizer_free(void *one) { free(one); }
