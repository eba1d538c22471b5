import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.core.KeywordTokenizer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.SmallFloat;
import org.apache.lucene.util.Version;

/**
 * Prints goldens.json: what Lucene makes of texts, words, lengths and code points, and what it finds for queries in documents made
 * here. The documents are made of words of our own; nothing in them is anybody's data.
 */
public final class MakeGoldens {
  private static final String FIELD = "contents";
  private static final int LIMIT = 50;

  private static final String[] THINGS = {
    "jumpsuit", "lamp", "console table", "running shoes", "desk", "USB-C cable", "wi-fi router", "t-shirt", "T-shirts", "sofa", "dress", "dresses",
    "coffee maker", "curtains", "water bottle", "hair dryer", "office chair", "phone case", "sandals", "boxes", "toothbrush", "candles", "scarves", "knives"
  };
  private static final String[] QUALITIES = {
    "slim fit", "machine washable", "hand-washed", "stainless steel", "non slip", "easy to clean", "long lasting", "lightweight", "heavy duty", "water-resistant",
    "breathable", "quickly drying", "organic", "assembled", "adjustable", "high quality", "comfortable", "generously padded", "fashionable", "relational"
  };
  private static final String[] COLOURS = {"green stripe", "black", "wine red", "navy blue", "beige", "a1-white", "grey | silver", "multicolored", "#ff00aa", "rosé"};
  private static final String[] SIZES = {"large", "x-large", "XX-Large", "small", "5'10\"", "9.5 cm", "12.5oz", "3,000.5", "14.125 x 54", "34-46", "10,000 mAh", "1/2 in.", "size: 8"};
  private static final String[] WHOSE = {"women's", "Women\u2019s", "men\uff07S", "kids'", "the boss's", "O'Neil's", "can't", "U.S.A.", "e.g.", "it's"};
  private static final String[] ODD = {
    "\u2605\u2605\u2605 5 stars", "CoolMax\u2122", "\u00aeBrand", "caf\u00e9 NA\u00cfVE", "\u0130stanbul", "\u03a3\u039f\u03a6\u039f\u03a3", "\u65e5\u672c\u8a9e",
    "\u30ab\u30e1\u30e9_\u30ab\u30e1\u30e9", "\u3072\u3089\u304c\u306a", "\ud55c\uad6d\uc5b4", "\u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22", "\ud83d\udc4d\ud83c\udffd",
    "\ud83d\udc69\u200d\ud83d\udc69\u200d\ud83d\udc67", "\ud83c\uddfa\ud83c\uddf8\ud83c\udde9\ud83c\uddea", "1\ufe0f\u20e3 #\ufe0f\u20e3", "a\u00adb soft\u00adhyphen", "zero\u200bwidth",
    "foo_bar __x__ _", "www.example.com/a_b?c=d", "some.one@example.com", "3.14.15", "1.5x2x3", "b07xk2", "\u05d0\"\u05d1 \u05d0'", "\ufb01ne \u017fharp", "\uff11\uff12\uff13",
    "x".repeat(300), "\ud835\udc00\ud835\udc01", "tabs\tand\nnew\r\nlines", "--- / \\ | & %", "o'", "'quoted'", "rock'n'roll", "yyyed", "ies"
  };

  private static final String[] WORDS = {
    "caresses", "ponies", "ties", "caress", "cats", "feed", "agreed", "plastered", "bled", "motoring", "sing", "conflated", "troubled", "sized", "hopping", "tanned",
    "falling", "hissing", "fizzed", "failing", "filing", "happy", "sky", "relational", "conditional", "rational", "valenci", "hesitanci", "digitizer", "conformabli",
    "radicalli", "differentli", "vileli", "analogousli", "vietnamization", "predication", "operator", "feudalism", "decisiveness", "hopefulness", "callousness",
    "formaliti", "sensitiviti", "sensibiliti", "triplicate", "formative", "formalize", "electriciti", "electrical", "hopeful", "goodness", "revival", "allowance",
    "inference", "airliner", "gyroscopic", "adjustable", "defensible", "irritant", "replacement", "adjustment", "dependent", "adoption", "homologou", "communism",
    "activate", "angulariti", "homologous", "effective", "bowdlerize", "probate", "rate", "cease", "controll", "roll", "as", "a", "be", "oed", "ing", "ed", "s", "ss",
    "ies", "sses", "eed", "eeds", "yyed", "syying", "sayyid", "yying", "yyyed", "toying", "apology", "apologies", "possibly", "generalizations", "oscillators", "1080p",
    "3.5ing", "o'neil", "caf\u00e9s", "na\u00efvely", "\u65e5\u672cs", "abilities", "national", "ion", "sion", "ll", "bll", "aeiou", "skiing", "dying", "news", "innings"
  };

  private static final String[] TEXTS = {
    "", " \t\n", "...", "The and of", "Women's slim-fit jumpsuits (2-pack), size: X-Large!", "3,000.5 mAh; 1,2,3 and 1.2.3, 5.", "foo.bar foo:bar foo,bar foo;bar foo'bar foo''bar",
    "_a_ a_ _1 __ a__b a_'b 1_,2", "caf\u00e9 cafe\u0301 \u0301a a\u200db a\u00adb", "\u65e5\u672c\u8a9e\u306e\u30c6\u30ad\u30b9\u30c8\u3068\u30ab\u30bf\u30ab\u30ca123abc", "\ud55c\uad6d\uc5b4 \ud14d\uc2a4\ud2b8", "\u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22 abc\u0e01def",
    "\u05d0\u05d1\"\u05d2 \u05d0\u05d1'\u05d2 \u05d0' \u05d0\"", "\u2605\u2606\u2713\u2714\u2122\u00a9\u00ae\u203c\u2049", "\u2764\ufe0f\u2764\ufe0e \u2764\ufe0fa a\u2764", "\ud83d\udc4d\ud83c\udffd\ud83d\udc4d \ud83c\udffd \ud83d\udc69\u200d\ud83d\udc67x\u200d\ud83d\udc67",
    "\ud83c\uddfa\ud83c\uddf8\ud83c\udde9 \ud83c\uddfa", "1\ufe0f\u20e3 1\u20e3 #\u20e3 *\ufe0f\u20e3 #1", "\ud83c\udff4\udb40\udc67\udb40\udc62\udb40\udc7f \ud83c\udff4\udb40\udc67\udb40\udc62", "dog's dogs' DOG'S dog\u2019s dog\uff07s 's s's x''s",
    "\u0130I\u0131i \u03a3\u03a3 \u00c4\u00d6\u1e9e \u01c5 \u2126 \u212a", "\uff10\uff11\uff0e\uff12 \uff21\uff22\uff43", "x".repeat(254) + "'b", "x".repeat(255) + "y", "1,".repeat(200) + "1", "\ud83d\ude00" .repeat(200),
    "a".repeat(254) + "\ud835\udc00b", "\u200d".repeat(300) + "\ud83d\ude00", "$5.99/each 100% 50-75\u00b0F \u00bd\" \u2264 5 \u00d7 6", "http://a.b.c/d?e=f&g=h#i someone@example.com", "C++ C# .NET a.b. U.S.A"
  };

  public static void main(String[] arguments) throws Exception {
    Map<String, Object> goldens = new LinkedHashMap<>();
    goldens.put("made", "by MakeGoldens.java with Lucene " + Version.LATEST);
    goldens.put("lengths", lengths());
    goldens.put("stems", stems());
    goldens.put("texts", texts());
    goldens.put("codePoints", codePoints());
    List<String> documents = documents();
    goldens.put("documents", documents);
    goldens.put("queries", queries(documents));
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.US_ASCII);
    out.println(json(goldens, ""));
    out.flush();
  }

  /** Lengths, their codes, and what the codes stand for. */
  private static List<Object> lengths() {
    List<Object> rows = new ArrayList<>();
    for (long length = 0; length <= Integer.MAX_VALUE; length += length < 130 ? 1 : length / 11) rows.add(lengthRow((int) length));
    rows.add(lengthRow(Integer.MAX_VALUE));
    return rows;
  }

  private static List<Object> lengthRow(int length) {
    byte code = SmallFloat.intToByte4(length);
    return List.of(length, code & 0xff, SmallFloat.byte4ToInt(code));
  }

  private static Map<String, Object> stems() throws IOException {
    Analyzer stemmer =
        analyzer(
            () -> {
              Tokenizer words = new KeywordTokenizer();
              return new Analyzer.TokenStreamComponents(words, new PorterStemFilter(words));
            });
    Map<String, Object> stems = new LinkedHashMap<>();
    for (String word : WORDS) stems.put(word, terms(stemmer, word).get(0));
    return stems;
  }

  private static List<Object> texts() throws IOException {
    List<Object> rows = new ArrayList<>();
    for (String text : TEXTS) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("text", text);
      row.put("tokens", terms(standard(), text));
      row.put("terms", terms(new EnglishAnalyzer(), text));
      rows.add(row);
    }
    return rows;
  }

  /**
   * Every code point of the planes in use, between others: for each 4,096 of them one CRC-32 of all tokens, in UTF-16 with a newline
   * after each.
   */
  private static Map<String, Object> codePoints() throws IOException {
    Analyzer analyzer = standard();
    Map<String, Object> sums = new LinkedHashMap<>();
    for (int from = 0; from < 0x110000; from += 4096) {
      int plane = from >>> 16;
      if (plane > 2 && plane != 14) continue;
      CRC32 sum = new CRC32();
      for (int point = from; point < from + 4096; point++) {
        if (point >= 0xd800 && point < 0xe000) continue;
        String c = new String(Character.toChars(point));
        String text =
            c + " a" + c + "b 1" + c + "2 " + c + c + " \u30ab" + c + "\u30ab \u05d0" + c + "\u05d0 \u261d" + c + " \u261d\u200d" + c + " _" + c + "_ " + c + "\u0301x";
        for (String token : terms(analyzer, text)) sum.update((token + "\n").getBytes(StandardCharsets.UTF_16BE));
      }
      sums.put(Integer.toHexString(from), sum.getValue());
    }
    return sums;
  }

  private static List<String> documents() {
    Random random = new Random(20260101);
    List<String> documents = new ArrayList<>();
    while (documents.size() < 180) documents.add(document(random));
    documents.add("");
    documents.add("the and of to");
    documents.add("Jumpsuit. ".repeat(300) + "slim fit"); // a frequency that does not fit into a byte
    documents.add("lamp ".repeat(255));
    documents.add("lamp ".repeat(254) + "desk");
    documents.add((document(random) + " ").repeat(40)); // long: its length is stored roughly
    for (int twin = 0; twin < 6; twin++) documents.add(documents.get(twin * 7)); // ties
    for (int twin = 0; twin < 8; twin++) documents.add("Large green stripe desk lamp, easy to clean.");
    return documents;
  }

  private static String document(Random random) {
    StringBuilder text = new StringBuilder();
    text.append(pick(random, WHOSE)).append(' ').append(pick(random, QUALITIES)).append(' ').append(pick(random, THINGS));
    int parts = 2 + random.nextInt(14);
    for (int part = 0; part < parts; part++) {
      String[] list = List.of(THINGS, QUALITIES, COLOURS, SIZES, QUALITIES, COLOURS, ODD, WHOSE).get(random.nextInt(8));
      text.append(new String[] {", ", ". ", " ", " - ", "; ", " with ", " and the "}[random.nextInt(7)]).append(pick(random, list));
    }
    return text.append(". size: ").append(pick(random, SIZES)).append(", and color: ").append(pick(random, COLOURS)).toString();
  }

  private static List<Object> queries(List<String> documents) throws IOException {
    Random random = new Random(7);
    List<String> queries = new ArrayList<>(List.of("", "the", "unknownword", "shoes", "womens jumpsuit slim fit green stripe large", "lamp lamp desk", "Lamp", "x".repeat(255)));
    while (queries.size() < 60) {
      StringBuilder query = new StringBuilder();
      int parts = 1 + random.nextInt(6);
      for (int part = 0; part < parts; part++) {
        query.append(pick(random, List.of(THINGS, QUALITIES, COLOURS, SIZES, WHOSE, ODD).get(random.nextInt(6)))).append(' ');
      }
      queries.add(query.toString());
    }
    try (ByteBuffersDirectory directory = new ByteBuffersDirectory()) {
      index(directory, documents);
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        IndexSearcher searcher = new IndexSearcher(reader);
        searcher.setSimilarity(new BM25Similarity(0.9f, 0.4f));
        List<Object> rows = new ArrayList<>();
        for (String query : queries) {
          Map<String, Object> row = new LinkedHashMap<>();
          row.put("query", query);
          row.put("hits", search(searcher, query));
          rows.add(row);
        }
        return rows;
      }
    }
  }

  private static void index(ByteBuffersDirectory directory, List<String> documents) throws IOException {
    IndexWriterConfig config = new IndexWriterConfig(new EnglishAnalyzer());
    config.setSimilarity(new BM25Similarity(0.9f, 0.4f));
    config.setMergePolicy(NoMergePolicy.INSTANCE);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (String text : documents) {
        Document document = new Document();
        document.add(new TextField(FIELD, text, Field.Store.NO));
        writer.addDocument(document);
      }
    }
  }

  /** A bag of words, as Anserini makes it: a clause for every term, boosted by how often it stands in the query. */
  private static List<Object> search(IndexSearcher searcher, String query) throws IOException {
    Map<String, Long> counts = terms(new EnglishAnalyzer(), query).stream().collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (Map.Entry<String, Long> entry : counts.entrySet()) {
      builder.add(new BoostQuery(new TermQuery(new Term(FIELD, entry.getKey())), entry.getValue()), BooleanClause.Occur.SHOULD);
    }
    List<Object> hits = new ArrayList<>();
    for (ScoreDoc hit : searcher.search(builder.build(), LIMIT).scoreDocs) hits.add(List.of(hit.doc, hit.score));
    return hits;
  }

  private static String pick(Random random, String[] list) {
    return list[random.nextInt(list.length)];
  }

  private static Analyzer standard() {
    return analyzer(() -> new Analyzer.TokenStreamComponents(new StandardTokenizer()));
  }

  private static Analyzer analyzer(java.util.function.Supplier<Analyzer.TokenStreamComponents> components) {
    return new Analyzer() {
      @Override
      protected TokenStreamComponents createComponents(String field) {
        return components.get();
      }
    };
  }

  private static List<String> terms(Analyzer analyzer, String text) throws IOException {
    List<String> terms = new ArrayList<>();
    try (TokenStream stream = analyzer.tokenStream(FIELD, text)) {
      CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
      stream.reset();
      while (stream.incrementToken()) terms.add(term.toString());
      stream.end();
    }
    return terms;
  }

  /** Objects are spread over lines, lists of plain values stay on one. */
  private static String json(Object value, String indent) {
    String deeper = indent + "  ";
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream().map(entry -> deeper + json(entry.getKey(), "") + ": " + json(entry.getValue(), deeper)).collect(Collectors.joining(",\n", "{\n", "\n" + indent + "}"));
    }
    if (value instanceof List<?> list) {
      boolean plain = list.stream().noneMatch(item -> item instanceof Map || item instanceof List);
      if (plain && (list.isEmpty() || !(list.get(0) instanceof String text) || text.length() < 300)) return list.stream().map(item -> json(item, "")).collect(Collectors.joining(", ", "[", "]"));
      return list.stream().map(item -> deeper + json(item, deeper)).collect(Collectors.joining(",\n", "[\n", "\n" + indent + "]"));
    }
    if (value instanceof String text) {
      return text.chars().mapToObj(c -> c == '"' || c == '\\' ? "\\" + (char) c : c < 0x20 || c > 0x7e ? String.format("\\u%04x", c) : "" + (char) c).collect(Collectors.joining("", "\"", "\""));
    }
    return value.toString();
  }
}
